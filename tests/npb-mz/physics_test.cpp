// The physics and the reference's plain loops against the formulas of SPEC.md, which use nothing of either.
#include "reference/bt.hpp"
#include "reference/lu.hpp"
#include "reference/multi_zone.hpp"
#include "reference/sp.hpp"
#include "spec_zones.hpp"

#include <support/catch.hpp>

using namespace spec;

TEST_CASE("in the exact solution forcing and spatial operator cancel, in every zone", "[npb-mz]") {
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    for (const char letter : {'S', 'W'}) {
      npb::reference::multi_zone zones{benchmark_of(kind, npb::make_problem(kind, letter))};
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
    zone.bench->make_forcing(0, forcing.data(), 1);
    const auto solver = zone.bench->make_host_solver(1, zone.shape());
    for (int step = 0; step < 3; ++step)
      solver->advance({zone.shape(), u.data(), forcing.data(), residual.data()});
    CHECK(largest_difference(u, exact) <= 1e-12 * largest(exact));
    CHECK(largest(residual) <= 1e-12 * largest(forcing));  // what LU leaves for the next step
  }
}

namespace {

/// R(u) as a step forms it from `u` and no forcing: SP's and BT's right-hand side, or LU's residual.
fields operator_by_reference(const one_zone& zone, fields u) {
  fields result(u.size()), v(u.size());
  const fields no_forcing(u.size());
  const npb::constants& c = zone.bench->coefficients();
  const npb::host_zone fields{zone.shape(), u.data(), no_forcing.data(), result.data()};
  if (zone.bench->has_residual())
    rhs(npb::reference::lu::ssor_zone{c, fields, v});
  else
    compute_rhs(npb::reference::adi_zone{c, fields, result});
  return result;
}

}  // namespace

TEST_CASE("the right-hand side is that of SPEC.md for any state", "[npb-mz]") {
  std::mt19937 random{seed};
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    INFO(npb::short_name(kind));
    const one_zone zone{kind};
    const fields u = random_state(zone.on, random);
    const double scale = kind == npb::benchmark_kind::lu ? 1 : zone.dt();
    fields expected(u.size());
    zone.on.interior([&](const std::array<int, 3>& index, std::size_t at) {
      const spec::vector5 r = spec::spatial_operator(u, zone.on, index, at);
      for (std::size_t m = 0; m < 5; ++m) expected[m * zone.on.points() + at] = scale * r[m];
    });
    CHECK(largest_difference(operator_by_reference(zone, u), expected) <= 1e-12 * largest(expected));
  }
}

namespace {

using solve = void (*)(const npb::reference::adi_zone&);
/// A row of the matrix of direction d times x, at the interior point `index`, which is `at` in u and x.
using row_times = spec::vector5 (*)(const one_zone&, int d, const std::array<int, 3>& index, std::size_t at,
                                    const fields& u, const fields& x);

/// What solves the lines of each direction, multiplied by their matrices, must be the right-hand sides.
void check_lines(npb::benchmark_kind kind, const std::array<solve, 3>& solves, row_times row) {
  std::mt19937 random{seed};
  for (const npb::zone_shape shape : {npb::zone_shape{11, 9, 8}, {6, 6, 6}, {7, 6, 12}}) {
    const one_zone zone{kind, shape};
    fields u = random_state(zone.on, random);
    const fields r = random_right_hand_side(zone.on, random);
    for (int d = 0; d < 3; ++d) {
      fields x = r, product(r.size());
      solves[static_cast<std::size_t>(d)]({zone.bench->coefficients(), {shape, u.data()}, x});
      zone.on.interior([&](const std::array<int, 3>& index, std::size_t at) {
        const spec::vector5 value = row(zone, d, index, at, u, x);
        for (std::size_t m = 0; m < 5; ++m) product[m * zone.on.points() + at] = value[m];
      });
      INFO("direction " << d << " of " << shape.nx << "x" << shape.ny << "x" << shape.nz);
      CHECK(largest_difference(product, r) <= 1e-12);
    }
  }
}

spec::vector5 sp_row_times(const one_zone& zone, int d, const std::array<int, 3>& index, std::size_t at,
                           const fields& u, const fields& x) {
  const int l = index[static_cast<std::size_t>(d)];
  spec::vector5 sum{};
  for (std::size_t m = 0; m < 5; ++m) {
    const int sign = m < 3 ? 0 : m == 3 ? 1 : -1;
    const auto row = spec::pentadiagonal_row(zone.on, zone.dt(), d, sign, u, at, l);
    for (int by = -2; by <= 2; ++by)
      if (l + by >= 1 && l + by <= zone.on.n[d] - 2)
        sum[m] +=
            row[static_cast<std::size_t>(by + 2)] * x[m * zone.on.points() + at + by * zone.on.stride(d)];
  }
  return sum;
}

spec::vector5 bt_row_times(const one_zone& zone, int d, const std::array<int, 3>&, std::size_t at,
                           const fields& u, const fields& x) {
  const spec::grid& on = zone.on;
  const std::size_t below = at - on.stride(d), above = at + on.stride(d);
  const auto a = spec::neighbours_block(on, zone.dt(), d, -1, load(u, on, below));
  const auto b = spec::own_block(on, zone.dt(), d, load(u, on, at));
  const auto c = spec::neighbours_block(on, zone.dt(), d, 1, load(u, on, above));
  spec::vector5 sum = spec::times(b, load(x, on, at));
  const auto from_below = spec::times(a, load(x, on, below)), from_above = spec::times(c, load(x, on, above));
  for (std::size_t m = 0; m < 5; ++m) sum[m] += from_below[m] + from_above[m];
  return sum;
}

}  // namespace

TEST_CASE("the lines of SP, multiplied by their pentadiagonal matrices, are the right-hand sides",
          "[npb-mz]") {
  using namespace npb::reference::sp;
  check_lines(npb::benchmark_kind::sp, {x_solve, y_solve, z_solve}, sp_row_times);
}

TEST_CASE("the lines of BT, multiplied by their blocks, are the right-hand sides", "[npb-mz]") {
  using namespace npb::reference::bt;
  check_lines(npb::benchmark_kind::bt, {x_solve, y_solve, z_solve}, bt_row_times);
}

TEST_CASE("a run of the reference's plain loops is verified", "[npb-mz]") {
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    INFO(npb::short_name(kind));
    npb::reference::multi_zone zones{benchmark_of(kind, npb::make_problem(kind, 'S'))};
    const npb::problem& what = zones.bench->what();
    for (int step = 0; step < what.niter; ++step) zones.step();
    CHECK(npb::verify(what, what.niter, zones.norms()) == npb::verification::successful);
    CHECK(npb::largest_deviation(what.references[0], zones.norms()) < 1e-11);
  }
}
