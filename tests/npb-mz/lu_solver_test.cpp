#include "device_memory.hpp"
#include "lu/lu_host.hpp"
#include "lu/lu_kernels.hpp"
#include "lu_phases.hpp"
#include "multi_zone.hpp"

#include <random>
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

support::multi_zone one_zone(const npb::zone_shape& s) {
  return support::multi_zone{npb::lu::make_benchmark(
      npb::make_custom_problem(npb::benchmark_kind::lu, 'S', {s.nx, s.ny, s.nz, 1, 1}))};
}

/// u and residual after n_steps, computed one phase and one point at a time.
support::multi_zone expected(const npb::zone_shape& s) {
  support::multi_zone zones = one_zone(s);
  support::lu_phases phases{zones.bench->coefficients(), s};
  for (int step = 0; step < n_steps; ++step) {
    zones.exchange();
    phases.advance(zones.fields(0));
  }
  return zones;
}

/// The shapes, as text, for which a solver gives other bits than expected.
std::string differing(npb::pack_width width, int n_threads) {
  std::string found;
  for (const npb::zone_shape& s : shapes) {
    support::multi_zone zones = one_zone(s);
    const auto solver = npb::lu::make_host_solver(zones.bench->coefficients(), n_threads, s, width);
    for (int step = 0; step < n_steps; ++step) zones.step(*solver);
    const support::multi_zone right = expected(s);
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
      support::multi_zone zone = one_zone(s);
      zone.exchange();
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

mixed_zones advanced_by_phases() {
  mixed_zones zones;
  zones.run([&](const npb::host_zone& z) { support::lu_phases{zones.c, z.shape}.advance(z); });
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
  advanced_on(*dev).check(advanced_by_phases());
}

TEST_CASE("one LU solver advances zones of changing shapes", "[npb-mz]") {
  const mixed_zones right = advanced_by_phases();
  for (const auto width : {npb::pack_width::four, npb::pack_width::widest})
    for (const int n_threads : {1, 2}) {
      mixed_zones zones;
      const auto solver = npb::lu::make_host_solver(zones.c, n_threads, larger_than_all, width);
      zones.run([&](const npb::host_zone& z) { solver->advance(z); });
      zones.check(right);
    }
}

TEST_CASE("a batch of different LU zones on a device has the bits of the host", "[npb-mz]") {
  const mixed_zones right = advanced_by_phases();
  support::on_every_device([&](yoke::device& dev) { advanced_on(dev).check(right); });
}

namespace {

using matrix = std::array<std::array<double, 5>, 5>;

/// F^d and N^d as SPEC.md §10 writes them.
matrix convective(int d, const std::array<double, 3>& v, double q, double e) {
  matrix f{};
  const int n = 1 + d;
  f[0][n] = 1;
  for (int m = 1; m < 4; ++m) {
    f[m][0] = -v[m - 1] * v[d];
    f[m][m] = v[d];
    f[m][n] = v[m - 1];
    f[n][m] = -npb::c2 * v[m - 1];
    f[4][m] = -npb::c2 * v[m - 1] * v[d];
    if (m != n) f[m][m] = v[d];
  }
  f[n][0] = -v[d] * v[d] + npb::c2 * q;
  f[n][n] = (2 - npb::c2) * v[d];
  f[n][4] = npb::c2;
  f[4][0] = (2 * npb::c2 * q - npb::c1 * e) * v[d];
  f[4][n] = npb::c1 * e - npb::c2 * (q + v[d] * v[d]);
  f[4][4] = npb::c1 * v[d];
  return f;
}
matrix viscous(int d, const std::array<double, 3>& v, double u1, double e) {
  matrix r{};
  r[4][0] = -npb::c1345 * e / u1;
  for (int m = 1; m < 4; ++m) {
    const double g = (m == 1 + d ? 4.0 / 3.0 : 1) * npb::c34;
    r[m][0] = -g * v[m - 1] / u1;
    r[m][m] = g / u1;
    r[4][0] -= (g - npb::c1345) * v[m - 1] * v[m - 1] / u1;
    r[4][m] = (g - npb::c1345) * v[m - 1] / u1;
  }
  r[4][4] = npb::c1345 / u1;
  return r;
}

std::array<double, 5> product(const matrix& a, const npb::five<double>& x) {
  std::array<double, 5> y{};
  for (int m = 0; m < 5; ++m)
    for (int n = 0; n < 5; ++n) y[m] += a[m][n] * x[n];
  return y;
}

/// The blocks of a random point and a random vector, as matrices and as LU applies them.
struct random_point {
  npb::constants c;
  npb::lu::sweep_constants k;
  npb::five<double> u, x;
  npb::lu::block_point<double> p;

  random_point(npb::constants constants, std::mt19937& random) : c{constants}, k{c}, u{}, x{}, p{} {
    std::uniform_real_distribution<double> any{-2, 2}, positive{0.5, 3};
    for (int m = 0; m < 5; ++m) {
      u[m] = m == 0 ? positive(random) : any(random);
      x[m] = any(random);
    }
    p = npb::lu::make_block_point(k, u);
  }
  std::array<double, 3> velocity() const { return {u[1] / u[0], u[2] / u[0], u[3] / u[0]}; }
  double energy() const { return u[4] / u[0]; }
  double kinetic() const { return (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2 * u[0] * u[0]); }

  template <npb::lu::sweep S, int D>
  void check_block() const {
    const matrix f = convective(D, velocity(), kinetic(), energy()),
                 n = viscous(D, velocity(), u[0], energy());
    const double sign = S == npb::lu::sweep::lower ? -1 : 1;
    matrix block{};
    for (int m = 0; m < 5; ++m) {
      for (int l = 0; l < 5; ++l) block[m][l] = sign * c.d[D].dt_t2 * f[m][l] - c.d[D].dt_t1 * n[m][l];
      block[m][m] -= c.d[D].dt_t1 * c.d[D].delta;
    }
    const std::array<double, 5> right = product(block, x);
    const auto got = npb::lu::block_times<S, D>(k, p, npb::lu::make_disturbance(p, x), x);
    for (int m = 0; m < 5; ++m) CHECK(got[m] == Approx(right[m]).epsilon(1e-11).margin(1e-9));
  }
  void check_diagonal() const {
    matrix diagonal{};
    for (int d = 0; d < 3; ++d) {
      const matrix n = viscous(d, velocity(), u[0], energy());
      for (int m = 0; m < 5; ++m) {
        for (int l = 0; l < 5; ++l) diagonal[m][l] += 2 * c.d[d].dt_t1 * n[m][l];
        diagonal[m][m] += 2 * c.d[d].dt_t1 * c.d[d].delta;
      }
    }
    for (int m = 0; m < 5; ++m) diagonal[m][m] += 1;
    const std::array<double, 5> again = product(diagonal, npb::lu::solve_diagonal(k, u, p, x));
    for (int m = 0; m < 5; ++m) CHECK(again[m] == Approx(x[m]).epsilon(1e-11).margin(1e-11));
  }
};

}  // namespace

TEST_CASE("LU's blocks times a vector are those of the matrices of the specification", "[npb-mz]") {
  std::mt19937 random{5};
  const npb::constants c = npb::make_constants(npb::make_problem(npb::benchmark_kind::lu, 'B'));
  for (int n = 0; n < 50; ++n) {
    const random_point point{c, random};
    point.check_block<npb::lu::sweep::lower, 0>();
    point.check_block<npb::lu::sweep::lower, 1>();
    point.check_block<npb::lu::sweep::lower, 2>();
    point.check_block<npb::lu::sweep::upper, 0>();
    point.check_block<npb::lu::sweep::upper, 1>();
    point.check_block<npb::lu::sweep::upper, 2>();
    point.check_diagonal();
  }
}
