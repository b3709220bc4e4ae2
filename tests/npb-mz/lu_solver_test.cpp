#include "device_memory.hpp"
#include "lu/host/lu_host.hpp"
#include "lu/lu_kernels.hpp"
#include "reference/multi_zone.hpp"

#include <support/catch.hpp>

#include <yoke/emulated.hpp>
#include <yoke/error.hpp>

using support::device_memory;
using support::same_bits;

namespace {

/// Remainders of packs of 4 and 8 of every kind, rows shorter than a pack, and long lines in each direction.
const std::vector<npb::zone_shape> shapes{{6, 6, 6},  {7, 6, 9},   {12, 12, 6}, {9, 13, 7},  {10, 10, 8},
                                          {11, 7, 6}, {35, 6, 7},  {6, 35, 6},  {7, 6, 35},  {8, 9, 11},
                                          {14, 8, 6}, {18, 18, 6}, {13, 17, 9}, {21, 23, 10}};
const npb::zone_shape larger_than_all{40, 40, 40};
constexpr int n_steps = 3;

npb::reference::multi_zone one_zone(const npb::zone_shape& s) {
  return npb::reference::multi_zone{npb::lu::make_benchmark(
      npb::make_custom_problem(npb::benchmark_kind::lu, 'S', {s.nx, s.ny, s.nz, 1, 1}))};
}

/// u and residual after n_steps of the reference's plain loops.
npb::reference::multi_zone expected(const npb::zone_shape& s) {
  npb::reference::multi_zone zones = one_zone(s);
  for (int step = 0; step < n_steps; ++step) zones.step();
  return zones;
}

/// The shapes, as text, for which a solver gives other bits than expected.
std::string differing(npb::pack_width width, int n_threads) {
  std::string found;
  for (const npb::zone_shape& s : shapes) {
    npb::reference::multi_zone zones = one_zone(s);
    const auto solver = npb::lu::make_host_solver(zones.bench->coefficients(), n_threads, s, width);
    for (int step = 0; step < n_steps; ++step) zones.step(*solver);
    const npb::reference::multi_zone right = expected(s);
    if (!same_bits(zones.u[0], right.u[0]) || !same_bits(zones.residual[0], right.residual[0]))
      found += " " + std::to_string(s.nx) + "x" + std::to_string(s.ny) + "x" + std::to_string(s.nz);
  }
  return found;
}

}  // namespace

TEST_CASE("skewed packs of four give LU the bits of single points", "[npb-mz]") {
  CHECK(differing(npb::pack_width::four, 1) == "");
}

TEST_CASE("skewed packs of eight give LU the same bits, where the CPU has them", "[npb-mz]") {
  if (!npb::has_packs_of_eight()) {
    CHECK_THROWS_WITH(npb::lu::make_host_solver({}, 1, {6, 6, 6}, npb::pack_width::eight),
                      Catch::Contains("AVX-512"));
    return support::skip("packs of eight: this CPU has no AVX-512");
  }
  CHECK(differing(npb::pack_width::eight, 1) == "");
}

TEST_CASE("an inner team gives LU the same bits, whatever its size", "[npb-mz]") {
  for (const int n_threads : {2, 3, 5}) {
    INFO(n_threads << " threads");
    CHECK(differing(npb::pack_width::four, n_threads) == "");
    CHECK(differing(npb::pack_width::widest, n_threads) == "");
  }
}

namespace {

/// One zone of each shape, all with the constants of one of them.
struct mixed_zones {
  std::vector<std::vector<double>> u, forcing, residual;
  npb::constants c;

  mixed_zones() : c{one_zone({16, 16, 12}).bench->coefficients()} {
    for (const npb::zone_shape& s : shapes) {
      npb::reference::multi_zone zone = one_zone(s);
      zone.exch_qbc();
      u.push_back(zone.u[0]);
      forcing.push_back(zone.forcing[0]);
      residual.push_back(zone.residual[0]);
    }
  }
  npb::host_zone fields(std::size_t z) {
    return {shapes[z], u[z].data(), forcing[z].data(), residual[z].data()};
  }

  template <class Advance>
  void run(Advance&& advance) {
    for (int step = 0; step < n_steps; ++step)
      for (std::size_t z = 0; z < shapes.size(); ++z) advance(fields(z));
  }
  void check(const mixed_zones& right) const {
    for (std::size_t z = 0; z < shapes.size(); ++z) {
      CHECK(same_bits(u[z], right.u[z]));
      CHECK(same_bits(residual[z], right.residual[z]));
    }
  }
};

mixed_zones advanced_by_reference() {
  mixed_zones zones;
  zones.run([&](const npb::host_zone& z) { npb::reference::advance(npb::benchmark_kind::lu, zones.c, z); });
  return zones;
}

mixed_zones advanced_on(yoke::device& dev) {
  mixed_zones zones;
  const auto solver = npb::lu::make_device_solver(zones.c);
  device_memory memory{dev};
  std::vector<npb::device_zone> table;
  for (std::size_t z = 0; z < shapes.size(); ++z) {
    const auto [nx, ny, nz] = shapes[z];
    table.push_back({nx, ny, nz, memory.upload(zones.u[z]), memory.upload(zones.forcing[z]),
                     memory.upload(zones.residual[z]),
                     memory.allocate<double>(solver->scratch_bytes(shapes[z]))});
  }
  const auto on_device = memory.upload(table);
  for (int step = 0; step < n_steps; ++step) solver->advance({dev, memory.stream(), on_device, shapes});
  for (std::size_t z = 0; z < shapes.size(); ++z) {
    memory.download(zones.u[z], table[z].u);
    memory.download(zones.residual[z], table[z].residual);
  }
  return zones;
}

}  // namespace

TEST_CASE("LU has the same bits in the tiles of GPUs with more shared memory", "[npb-mz]") {
  const auto dev = yoke::make_emulated_device(
      0, {.memory = std::size_t{256} << 20, .shared_memory = std::size_t{227} << 10});
  advanced_on(*dev).check(advanced_by_reference());
}

TEST_CASE("one LU solver advances zones of changing shapes", "[npb-mz]") {
  const mixed_zones right = advanced_by_reference();
  for (const auto width : {npb::pack_width::four, npb::pack_width::widest})
    for (const int n_threads : {1, 2}) {
      mixed_zones zones;
      const auto solver = npb::lu::make_host_solver(zones.c, n_threads, larger_than_all, width);
      zones.run([&](const npb::host_zone& z) { solver->advance(z); });
      zones.check(right);
    }
}

TEST_CASE("a batch of different LU zones on a device has the bits of the host", "[npb-mz]") {
  const mixed_zones right = advanced_by_reference();
  support::on_every_device([&](yoke::device& dev) { advanced_on(dev).check(right); });
}
