// Heat in a ring of zones that processes share; the sum has the same bits for any number of them.
//   mpirun -np 4 yoke-zones-ranks [zones] [rows of a zone] [steps]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <yoke/mpi_ranks.hpp>
#include <yoke/runtime.hpp>
#include <yoke/zone_sum.hpp>

namespace {

struct spread {
  YOKE_HD void operator()(const yoke::loop_index<2>& at, yoke::view<const double, 2> u,
                          yoke::view<double, 2> v) const {
    const auto [j, i] = at;
    v(j, i) = u(j, i) + 0.2 * (u(j - 1, i) + u(j + 1, i) + u(j, i - 1) + u(j, i + 1) - 4 * u(j, i));
  }
};
struct value {
  YOKE_HD double operator()(const yoke::loop_index<2>& at, yoke::view<const double, 2> u) const {
    return u(at);
  }
};

void run(yoke::mpi_ranks& all, int n, std::int64_t rows, int steps) {
  yoke::runtime rt;
  yoke::zones ring{rt, all, n, [&](int z) { return yoke::zone_extents<2>{rows, rows + 10 * (z % 3)}; }};
  for (int z = 0; z < n; ++z) {
    ring.join({z, yoke::side::high(1)}, {(z + 1) % n, yoke::side::low(1)});
    ring.join({z, yoke::side::high(0)}, {z, yoke::side::low(0)});  // periodic
  }
  yoke::zoned<double, 2> u{ring, yoke::halo{1, 1}, "u"}, v{ring, yoke::halo{1, 1}, "v"};
  for (int z = 0; z < n; ++z)
    if (ring.is_here(z)) u.host(z)(rows / 2, rows / 2) = 1000.0 / (z + 1);
  yoke::zone_recording step = ring.record([&](yoke::zone_step& s) {
    s.launch<spread>("spread", in(u), out(v));
    s.swap(u, v);
  });
  step.replay(20);  // speeds are measured here
  ring.wait();
  const auto begin = std::chrono::steady_clock::now();
  step.replay(steps);
  ring.wait();
  const double sum = yoke::zone_sum<value>(ring, "sum", in(u, yoke::interior));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (all.rank() == 0)
    std::printf("%d zones: sum %.17g\n%d ranks, %.6f s a step\n%s", n, sum, all.size(), took.count() / steps,
                step.explain().c_str());
}

}  // namespace

int main(int argc, char** argv) try {
  const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  yoke::mpi_ranks all;
  run(all, argument(1, 12), argument(2, 200), argument(3, 100));
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return EXIT_FAILURE;
}
