// What several ranks do with zones: mpirun -np N ranks_program WHAT [seed] [count]. Says what is wrong, and
// ends all.
#include "../zones/random_program.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <yoke/affinity.hpp>
#include <yoke/error.hpp>
#include <yoke/mpi_ranks.hpp>

namespace {

using zone_tests::number;

void run_random(yoke::mpi_ranks& all, std::uint64_t first, std::uint64_t n) {
  yoke::runtime rt;
  for (std::uint64_t seed = first; seed < first + n; ++seed)
    if (const std::string wrong = zone_tests::run_random(rt, &all, seed); !wrong.empty())
      all.end_all(fmt::format("seed {}: {}", seed, wrong));
}

/// A row of zones with one field, and what is wrong with it.
struct row {
  row(yoke::mpi_ranks& all, std::int64_t width)
      : blocks{rt, all, 4, [width](int) { return yoke::zone_extents<1>{width}; }} {
    for (int zone = 0; zone + 1 < 4; ++zone)
      blocks.join({zone, yoke::side::high(0)}, {zone + 1, yoke::side::low(0)});
  }

  yoke::runtime rt;
  yoke::zones blocks;
};
yoke::zone_recording smoothing(row& of, yoke::zoned<number, 1>& u, yoke::zoned<number, 1>& v) {
  return of.blocks.record([&](yoke::zone_step& s) {
    zone_tests::smooth<1>(s, u, v, {{1, 0, 0}});
    s.swap(u, v);
  });
}

/// Expects the error on all ranks.
template <class Do>
void refused(const yoke::mpi_ranks& all, const Do& what) {
  try {
    what();
  } catch (const yoke::error& refusal) {
    std::printf("rank %d: %s\n", all.rank(), refusal.what());
    return;
  }
  std::printf("rank %d: nothing was refused\n", all.rank());
}

/// The CPUs of the first unit.
void show_cpus(const yoke::mpi_ranks& all) {
  const yoke::runtime rt;
  std::printf("rank %d has CPU %d of %zu\n", all.rank(), rt.units().all().front().cpus.front(),
              yoke::allowed_cpus_at_start().size());
}

/// Of all units; "none" without GPU CUs.
void show_devices(const yoke::mpi_ranks& all) {
  const yoke::runtime rt;
  std::string names;
  for (const yoke::device* each : rt.devices()) names += (names.empty() ? "" : ",") + each->info().name;
  std::printf("rank %d has %d CPU CUs and %s\n", all.rank(), rt.units().shape().cpu_units,
              names.empty() ? "none" : names.c_str());
}

/// How many joins of a ring are between ranks.
void show_cut(yoke::mpi_ranks& all) {
  constexpr int n = 12;
  yoke::runtime rt;
  yoke::zones ring{rt, all, n, [](int) { return yoke::zone_extents<1>{5}; }};
  for (int z = 0; z < n; ++z) ring.join({z, yoke::side::high(0)}, {(z + 1) % n, yoke::side::low(0)});
  const yoke::zoned<number, 1> u{ring, {1}, "u"};
  int cut = 0;
  for (int z = 0; z < n; ++z) cut += ring.rank_of(z) != ring.rank_of((z + 1) % n) ? 1 : 0;
  std::printf("rank %d: %d joins between ranks\n", all.rank(), cut);
}

/// What goes wrong before there is a field.
void fail_early(yoke::mpi_ranks& all, const std::string& what) {
  if (what == "throws" && all.rank() == 1) throw yoke::error{"rank 1 cannot begin"};
  if (what == "memory" && all.rank() == 1) setenv("YOKE_EMULATED", "memory=64KiB", 1);
  row of{all, what == "memory" ? 6000 : 5 + all.rank()};  // 6000: 96 KB for each rank
  refused(all, [&] { const yoke::zoned<number, 1> u{of.blocks, {1}, "u"}; });
}

void run_faults(yoke::mpi_ranks& all, const std::string& what) {
  if (what == "cpus") return show_cpus(all);
  if (what == "devices") return show_devices(all);
  if (what == "cut") return show_cut(all);
  if (what == "unlike-extents" || what == "memory" || what == "throws") return fail_early(all, what);
  row of{all, 6};
  yoke::zoned<number, 1> u{of.blocks, {1}, "u"}, v{of.blocks, {1}, "v"};
  yoke::zone_recording step = smoothing(of, u, v);
  if (what == "unlike-steps") refused(all, [&] { step.replay(2 + all.rank()); });
  if (what == "elsewhere")
    refused(all, [&] {
      for (int zone = 0; zone < 4; ++zone) u.host(zone);
    });
  if (what == "failing") {
    yoke::zone_recording fails = of.blocks.record([&](yoke::zone_step& s) {
      s.call(
          "fails",
          [&](const yoke::zone_site&, auto) {
            if (all.rank() == 1) throw yoke::error{"rank 1 has had enough"};
          },
          inout(u, yoke::interior));
      zone_tests::smooth<1>(s, u, v, {{1, 0, 0}});
    });
    fails.replay(3);
    of.blocks.wait();
  }
  if (what == "killed") {
    step.replay(2);
    of.blocks.wait();
    if (all.rank() == 1) std::raise(SIGKILL);
    step.replay(1000);
    of.blocks.wait();
    u.host(0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    yoke::mpi_ranks all;
    const auto argument = [&](int i, std::uint64_t otherwise) {
      return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
    };
    const std::string what = argc > 1 ? argv[1] : "random";
    if (what == "random")
      run_random(all, argument(2, 7000), argument(3, 20));
    else
      run_faults(all, what);
    if (all.rank() == 0) std::printf("%d ranks: done\n", all.size());
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return EXIT_FAILURE;
  }
}
