// The physics against SPEC.md, by means of their own: spec_formulas.hpp.
#include "bt_phases.hpp"
#include "lu_phases.hpp"
#include "multi_zone.hpp"
#include "sp_phases.hpp"
#include "spec_zones.hpp"

#include <support/catch.hpp>

using namespace spec;

TEST_CASE("in the exact solution forcing and spatial operator cancel, in every zone", "[npb-mz]") {
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    for (const char letter : {'S', 'W'}) {
      support::multi_zone zones{benchmark_of(kind, npb::make_problem(kind, letter))};
      for (int z = 0; z < zones.size(); ++z) {
        INFO(npb::short_name(kind) << " class " << letter << ", zone " << z);
        const spec::grid on = grid_of(zones.bench->what(), zones.shape(z));
        const fields u = exact_field(kind, on);
        const double sign = kind == npb::benchmark_kind::lu ? -1 : 1;
        fields sum = zones.forcing[static_cast<std::size_t>(z)];
        const double size = largest(sum);
        on.interior([&](const std::array<int, 3>& index, std::size_t at) {
          const spec::vector5 r = spec::spatial_operator(u, on, index, at);
          for (std::size_t m = 0; m < 5; ++m) sum[m * on.points() + at] += sign * r[m];
        });
        CHECK(largest(sum) <= 1e-12 * size);  // on the boundary the forcing itself must be 0
      }
    }
  }
}

TEST_CASE("a step leaves the exact solution where it is", "[npb-mz]") {
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    INFO(npb::short_name(kind));
    const one_zone zone{kind};
    const fields exact = exact_field(kind, zone.on);
    fields u = exact, forcing(u.size()), residual(u.size());
    zone.bench->make_forcing(0, forcing.data());
    const auto solver = zone.bench->make_host_solver(1, zone.shape());
    for (int step = 0; step < 3; ++step)
      solver->advance({zone.shape(), u.data(), forcing.data(), residual.data()});
    CHECK(largest_difference(u, exact) <= 1e-12 * largest(exact));
    CHECK(largest(residual) <= 1e-12 * largest(forcing));  // what LU leaves for the next step
  }
}

TEST_CASE("the right-hand side is that of SPEC.md for any state", "[npb-mz]") {
  std::mt19937 random{seed};
  const auto compare = [&](npb::benchmark_kind kind, const auto& right_hand_side, double scale) {
    INFO(npb::short_name(kind));
    const one_zone zone{kind};
    const fields u = random_state(zone.on, random);
    fields expected(u.size());
    zone.on.interior([&](const std::array<int, 3>& index, std::size_t at) {
      const spec::vector5 r = spec::spatial_operator(u, zone.on, index, at);
      for (std::size_t m = 0; m < 5; ++m) expected[m * zone.on.points() + at] = scale * r[m];
    });
    CHECK(largest_difference(right_hand_side(zone, u), expected) <= 1e-12 * largest(expected));
  };
  const auto by_phases = [](auto phases_of) {
    return [=](const one_zone& zone, const fields& u) {
      auto phases = phases_of(zone);
      phases.compute_rhs(u.data(), fields(u.size()).data());
      return phases.r;
    };
  };
  const auto sp = [](const one_zone& z) { return support::sp_phases{z.bench->coefficients(), z.shape()}; };
  const auto bt = [](const one_zone& z) { return support::bt_phases{z.bench->coefficients(), z.shape()}; };
  compare(npb::benchmark_kind::sp, by_phases(sp), one_zone{npb::benchmark_kind::sp}.dt());
  compare(npb::benchmark_kind::bt, by_phases(bt), one_zone{npb::benchmark_kind::bt}.dt());
  const auto lu = [](const one_zone& zone, const fields& u) {
    fields state = u, forcing(u.size()), residual(u.size());
    const support::lu_phases phases{zone.bench->coefficients(), zone.shape()};
    phases.residual({zone.shape(), state.data(), forcing.data(), residual.data()});
    return residual;
  };
  compare(npb::benchmark_kind::lu, lu, 1);
}

namespace {

/// The coefficients of x_{l-2} .. x_{l+2} in row l of one of SP's matrices, SPEC.md §9.3; `sign` of the sound
/// speed: 0 base, 1 plus, -1 minus.
std::array<double, 5> sp_row(const one_zone& zone, int d, int sign, const fields& u, std::size_t at, int l) {
  const spec::grid& on = zone.on;
  const double dt = zone.dt(), t1 = 1 / (on.h[d] * on.h[d]), t2 = 1 / (2 * on.h[d]);
  const auto speed = [&](std::size_t where) {
    const spec::values p{spec::load(u, on, where)};
    return p.v[d] + sign * p.sound();
  };
  const auto sigma = [&](std::size_t where) {
    const double rho_i = 1 / u[where];
    return std::max({spec::delta[d] + 4.0 / 3.0 * spec::c34 * rho_i,
                     spec::delta[d] + spec::c15 * spec::c34 * rho_i, spec::delta[d]});
  };
  const std::size_t below = at - on.stride(d), above = at + on.stride(d);
  std::array<double, 5> row = spec::fourth_difference(l, on.n[d]);
  for (double& each : row) each *= dt * spec::eps4;
  row[1] += -dt * t2 * speed(below) - dt * t1 * sigma(below);
  row[2] += 1 + 2 * dt * t1 * sigma(at);
  row[3] += dt * t2 * speed(above) - dt * t1 * sigma(above);
  return row;
}

}  // namespace

TEST_CASE("the lines of SP, multiplied by their pentadiagonal matrices, are the right-hand sides",
          "[npb-mz]") {
  std::mt19937 random{seed};
  for (const npb::zone_shape shape : {npb::zone_shape{11, 9, 8}, {6, 6, 6}, {7, 6, 12}}) {
    const one_zone zone{npb::benchmark_kind::sp, shape};
    fields u = random_state(zone.on, random);
    const fields r = random_right_hand_side(zone.on, random);
    for (int d = 0; d < 3; ++d) {
      support::sp_phases phases{zone.bench->coefficients(), shape};
      phases.r = r;
      phases.run(d == 0 ? "x_sweep" : d == 1 ? "y_sweep" : "z_sweep", {shape, u.data(), nullptr, nullptr});
      fields product(r.size());
      zone.on.interior([&](const std::array<int, 3>& index, std::size_t at) {
        for (int m = 0; m < 5; ++m) {
          const auto row = sp_row(zone, d,
                                  m < 3    ? 0
                                  : m == 3 ? 1
                                           : -1,
                                  u, at, index[static_cast<std::size_t>(d)]);
          const std::size_t here = m * zone.on.points() + at;
          for (int l = -2; l <= 2; ++l) {
            const int line = index[static_cast<std::size_t>(d)] + l;
            if (line < 1 || line > zone.on.n[d] - 2) continue;
            product[here] += row[static_cast<std::size_t>(l + 2)] * phases.r[here + l * zone.on.stride(d)];
          }
        }
      });
      INFO("direction " << d << " of " << shape.nx << "x" << shape.ny << "x" << shape.nz);
      CHECK(largest_difference(product, r) <= 1e-12);
    }
  }
}

TEST_CASE("the lines of BT, multiplied by their blocks, are the right-hand sides", "[npb-mz]") {
  std::mt19937 random{seed};
  for (const npb::zone_shape shape : {npb::zone_shape{11, 9, 8}, {6, 6, 6}, {7, 6, 12}}) {
    const one_zone zone{npb::benchmark_kind::bt, shape};
    fields u = random_state(zone.on, random);
    const fields r = random_right_hand_side(zone.on, random);
    for (int d = 0; d < 3; ++d) {
      support::bt_phases phases{zone.bench->coefficients(), shape};
      phases.r = r;
      phases.run(d == 0 ? "x_solve" : d == 1 ? "y_solve" : "z_solve", {shape, u.data(), nullptr, nullptr});
      const double dt = zone.dt(), t1 = 1 / (zone.on.h[d] * zone.on.h[d]), t2 = 1 / (2 * zone.on.h[d]);
      const double smoothing = dt * t1 * spec::delta[d];
      const auto block_times = [&](std::size_t at, double flow, double viscosity, double identity) {
        return spec::times(spec::combined(d, spec::load(u, zone.on, at), flow, viscosity, identity),
                           spec::load(phases.r, zone.on, at));
      };
      fields product(r.size());
      zone.on.interior([&](const std::array<int, 3>&, std::size_t at) {
        const std::size_t step = zone.on.stride(d);
        const spec::vector5 a = block_times(at - step, -dt * t2, -dt * t1, -smoothing);
        const spec::vector5 b = block_times(at, 0, 2 * dt * t1, 1 + 2 * smoothing);
        const spec::vector5 c = block_times(at + step, dt * t2, -dt * t1, -smoothing);
        for (std::size_t m = 0; m < 5; ++m) product[m * zone.on.points() + at] = a[m] + b[m] + c[m];
      });
      INFO("direction " << d << " of " << shape.nx << "x" << shape.ny << "x" << shape.nz);
      CHECK(largest_difference(product, r) <= 1e-12);
    }
  }
}
