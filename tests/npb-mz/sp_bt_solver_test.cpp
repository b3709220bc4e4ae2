#include "common/field.hpp"
#include "device_memory.hpp"
#include "sp_bt.hpp"

#include <support/catch.hpp>

#include <yoke/error.hpp>

using support::device_memory;
using support::same_bits;

namespace {

/// Remainders of packs of 4 and 8 of every kind, smallest extents, and long lines in each direction.
const std::vector<npb::zone_shape> shapes{{6, 6, 6},  {7, 6, 9},   {12, 12, 6}, {9, 13, 7},  {10, 10, 8},
                                          {11, 7, 6}, {35, 6, 7},  {6, 35, 6},  {7, 6, 35},  {8, 9, 11},
                                          {14, 8, 6}, {18, 18, 6}, {13, 17, 9}, {21, 23, 10}};
const npb::zone_shape larger_than_all{40, 40, 40};
constexpr int n_steps = 3;

template <class Solver>
npb::reference::multi_zone one_zone(const npb::zone_shape& s) {
  return npb::reference::multi_zone{
      Solver::make_benchmark(npb::make_custom_problem(Solver::kind, 'S', {s.nx, s.ny, s.nz, 1, 1}))};
}

/// The state after n_steps of the reference's plain loops.
template <class Solver>
std::vector<double> expected_state(const npb::zone_shape& s) {
  npb::reference::multi_zone zones = one_zone<Solver>(s);
  for (int step = 0; step < n_steps; ++step) zones.step();
  return zones.u[0];
}

/// The shapes, as text, for which a solver gives other bits than expected.
template <class Solver>
std::string differing(npb::pack_width width, int n_threads) {
  std::string found;
  for (const npb::zone_shape& s : shapes) {
    npb::reference::multi_zone zones = one_zone<Solver>(s);
    const auto solver = Solver::make_host_solver(zones.bench->coefficients(), n_threads, s, width);
    for (int step = 0; step < n_steps; ++step) zones.step(*solver);
    if (!same_bits(zones.u[0], expected_state<Solver>(s)))
      found += " " + std::to_string(s.nx) + "x" + std::to_string(s.ny) + "x" + std::to_string(s.nz);
  }
  return found;
}

}  // namespace

TEMPLATE_TEST_CASE("fused phases in packs of four give the bits of single phases and points", "[npb-mz]",
                   support::sp, support::bt) {
  CHECK(differing<TestType>(npb::pack_width::four, 1) == "");
}

TEMPLATE_TEST_CASE("packs of eight give the same bits, where the CPU has them", "[npb-mz]", support::sp,
                   support::bt) {
  if (!npb::has_packs_of_eight()) {
    CHECK_THROWS_WITH(TestType::make_host_solver({}, 1, {6, 6, 6}, npb::pack_width::eight),
                      Catch::Contains("AVX-512"));
    return support::skip("packs of eight: this CPU has no AVX-512");
  }
  CHECK(differing<TestType>(npb::pack_width::eight, 1) == "");
}

TEMPLATE_TEST_CASE("an inner team gives the same bits, whatever its size", "[npb-mz]", support::sp,
                   support::bt) {
  for (const int n_threads : {2, 3, 5}) {
    INFO(n_threads << " threads");
    CHECK(differing<TestType>(npb::pack_width::widest, n_threads) == "");
  }
}

namespace {

/// One zone of each shape. A custom grid of one zone has mesh widths of its own, so that the constants of
/// one of them are taken for all: the equations of BT's zones, where widths do not depend on the zone.
template <class Solver>
struct mixed_zones {
  std::vector<npb::zone_shape> shapes;
  std::vector<std::vector<double>> u, forcing;
  npb::constants c;

  explicit mixed_zones(const std::vector<npb::zone_shape>& of)
      : shapes{of}, c{one_zone<Solver>({16, 16, 12}).bench->coefficients()} {
    for (const npb::zone_shape& s : shapes) {
      npb::reference::multi_zone zone = one_zone<Solver>(s);
      zone.exch_qbc();
      u.push_back(zone.u[0]);
      forcing.push_back(zone.forcing[0]);
    }
  }
  npb::host_zone fields(std::size_t z) { return {shapes[z], u[z].data(), forcing[z].data(), nullptr}; }

  template <class Advance>
  void run(Advance&& advance) {
    for (int step = 0; step < n_steps; ++step)
      for (std::size_t z = 0; z < shapes.size(); ++z) advance(fields(z));
  }
};

template <class Solver>
mixed_zones<Solver> advanced_by_reference(const std::vector<npb::zone_shape>& of) {
  mixed_zones<Solver> zones{of};
  zones.run([&](const npb::host_zone& z) { npb::reference::advance(Solver::kind, zones.c, z); });
  return zones;
}

template <class Solver>
std::vector<npb::device_zone> table_of(const mixed_zones<Solver>& zones, const npb::device_solver& solver,
                                       device_memory& memory) {
  std::vector<npb::device_zone> table;
  for (std::size_t z = 0; z < zones.shapes.size(); ++z) {
    const npb::zone_shape& n = zones.shapes[z];
    table.push_back({n.nx,
                     n.ny,
                     n.nz,
                     memory.upload(zones.u[z]),
                     memory.upload(zones.forcing[z]),
                     {},
                     memory.allocate<double>(solver.scratch_bytes(n)),
                     {}});
  }
  return table;
}

template <class Solver>
mixed_zones<Solver> advanced_on(yoke::device& dev, const std::vector<npb::zone_shape>& of) {
  mixed_zones<Solver> zones{of};
  const auto solver = Solver::make_device_solver(zones.c);
  device_memory memory{dev};
  const std::vector<npb::device_zone> table = table_of(zones, *solver, memory);
  const auto on_device = memory.upload(table);
  for (int step = 0; step < n_steps; ++step) solver->advance({dev, memory.stream(), on_device, of});
  for (std::size_t z = 0; z < of.size(); ++z) memory.download(zones.u[z], table[z].u);
  return zones;
}

}  // namespace

TEMPLATE_TEST_CASE("one solver advances zones of changing shapes", "[npb-mz]", support::sp, support::bt) {
  const auto expected = advanced_by_reference<TestType>(shapes);
  for (const auto width : {npb::pack_width::four, npb::pack_width::widest}) {
    mixed_zones<TestType> zones{shapes};
    const auto solver = TestType::make_host_solver(zones.c, 1, larger_than_all, width);
    zones.run([&](const npb::host_zone& z) { solver->advance(z); });
    for (std::size_t z = 0; z < shapes.size(); ++z) CHECK(same_bits(zones.u[z], expected.u[z]));
  }
}

namespace {

/// Runs a batch on every usable device and compares its bits with those of single phases and points.
template <class Solver>
void check_devices(const std::vector<npb::zone_shape>& of) {
  const auto expected = advanced_by_reference<Solver>(of);
  support::on_every_device([&](yoke::device& dev) {
    const auto zones = advanced_on<Solver>(dev, of);
    for (std::size_t z = 0; z < of.size(); ++z) CHECK(same_bits(zones.u[z], expected.u[z]));
  });
}

}  // namespace

TEMPLATE_TEST_CASE("a batch of different zones on a device has the bits of the host", "[npb-mz]", support::sp,
                   support::bt) {
  check_devices<TestType>(shapes);
}

namespace {

/// [m][k][j or i] of the first interior plane at side 0 to 3: west, east, south, north.
std::vector<double> face_of(const std::vector<double>& u, const npb::zone_shape& n, int side) {
  std::vector<double> face;
  for (int m = 0; m < 5; ++m) {
    for (int k = 1; k < n.nz - 1; ++k) {
      for (int l = 1; l < (side < 2 ? n.ny : n.nx) - 1; ++l) {
        const int i = side == 0 ? 1 : side == 1 ? n.nx - 2 : l;
        const int j = side == 2 ? 1 : side == 3 ? n.ny - 2 : l;
        face.push_back(u[m * n.points() + npb::index_of(n, i, j, k)]);
      }
    }
  }
  return face;
}

/// One step in which every zone has takers of its faces: packed ones, behind each other in `faces`.
template <class Solver>
void check_sent_faces(yoke::device& dev, const std::vector<npb::zone_shape>& of) {
  mixed_zones<Solver> zones{of};
  const auto solver = Solver::make_device_solver(zones.c);
  REQUIRE(solver->sends_faces());
  device_memory memory{dev};
  std::vector<npb::device_zone> table = table_of(zones, *solver, memory);
  std::vector<std::vector<double>> received(4 * of.size());
  for (std::size_t z = 0; z < of.size(); ++z) {
    const auto [nx, ny, nz] = of[z];
    for (int side = 0; side < 4; ++side) {
      const int points = (side < 2 ? ny : nx) - 2;
      auto& face = received[4 * z + static_cast<std::size_t>(side)];
      face.assign(static_cast<std::size_t>(5 * points * (nz - 2)), -1);
      table[z].to[side] = {memory.upload(face), std::int64_t{points} * (nz - 2), 1, points};
    }
    table[z].to[z % 4].first = {};  // nobody takes this one
  }
  solver->advance({dev, memory.stream(), memory.upload(table), of});
  for (std::size_t z = 0; z < of.size(); ++z) {
    memory.download(zones.u[z], table[z].u);
    for (std::size_t side = 0; side < 4; ++side) {
      if (side == z % 4) continue;
      auto& face = received[4 * z + side];
      memory.download(face, table[z].to[side].first);
      CHECK(same_bits(face, face_of(zones.u[z], of[z], static_cast<int>(side))));
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("a step ends with the faces where the neighbours read them", "[npb-mz]", support::sp,
                   support::bt) {
  support::on_every_device([](yoke::device& dev) {
    check_sent_faces<TestType>(dev, shapes);
    check_sent_faces<TestType>(dev, {{6, 6, 513}, {9, 6, 514}, {6, 8, 7}});
  });
}

TEMPLATE_TEST_CASE("lines of all lengths, too long for memory on chip too, have the bits of the host",
                   "[npb-mz]", support::sp, support::bt) {
  check_devices<TestType>({{6, 6, 6}, {512, 6, 7}, {513, 6, 6}, {7, 600, 6}, {6, 7, 530}, {6, 200, 100}});
}

TEST_CASE("planes too large for the memory of a small chip have the bits of the host", "[npb-mz]") {
  check_devices<support::sp>({{51, 38, 7}, {8, 40, 6}, {34, 9, 12}});
}
