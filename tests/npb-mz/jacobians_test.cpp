// The blocks of BT and LU against the matrices of SPEC.md, which use nothing of them.
#include "common/jacobians.hpp"

#include "lu/lu_physics.hpp"
#include "spec_zones.hpp"

#include <support/catch.hpp>

namespace {

spec::vector5 random_point(std::mt19937& random) {
  std::uniform_real_distribution<double> density{0.7, 2.5}, momentum{-1, 1}, energy{4, 8};
  return {density(random), momentum(random), momentum(random), momentum(random), energy(random)};
}

/// Central differences of a function of the five components; good to about 1e-9.
template <class Function>
spec::matrix5 derivative(const Function& function, const spec::vector5& u) {
  constexpr double step = 1e-5;
  spec::matrix5 a{};
  for (std::size_t column = 0; column < 5; ++column) {
    spec::vector5 less = u, more = u;
    less[column] -= step;
    more[column] += step;
    const spec::vector5 low = function(less), high = function(more);
    for (std::size_t row = 0; row < 5; ++row) a[row][column] = (high[row] - low[row]) / (2 * step);
  }
  return a;
}

double largest_difference(const spec::matrix5& a, const spec::matrix5& b) {
  double most = 0;
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t column = 0; column < 5; ++column)
      if (!(std::abs(a[row][column] - b[row][column]) <= most))
        most = std::abs(a[row][column] - b[row][column]);
  return most;
}

npb::five<double> as_five(const spec::vector5& u) { return {{u[0], u[1], u[2], u[3], u[4]}}; }
spec::vector5 as_vector(const npb::five<double>& u) { return {u[0], u[1], u[2], u[3], u[4]}; }

spec::matrix5 as_matrix(const npb::block<double>& a) {
  spec::matrix5 matrix{};
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t column = 0; column < 5; ++column) matrix[row][column] = a.a[row][column];
  return matrix;
}

template <int D>
void compare_jacobians(const spec::vector5& u) {
  const auto p = npb::make_point(as_five(u));
  const spec::matrix5 f = as_matrix(npb::convective_jacobian<D>(p)),
                      n = as_matrix(npb::viscous_jacobian<D>(p));
  CHECK(largest_difference(f, spec::convective_matrix(D, u)) <= 1e-13);
  CHECK(largest_difference(n, spec::viscous_matrix(D, u)) <= 1e-13);
  CHECK(largest_difference(f, derivative([](const auto& w) { return spec::flux(D, w); }, u)) <= 1e-7);
  CHECK(largest_difference(n, derivative([](const auto& w) { return spec::viscous(D, w); }, u)) <= 1e-7);
}

}  // namespace

TEST_CASE("the blocks of BT are the derivatives of the fluxes, and the matrices of SPEC.md", "[npb-mz]") {
  std::mt19937 random{spec::seed};
  for (int round = 0; round < 20; ++round) {
    const spec::vector5 u = random_point(random);
    compare_jacobians<0>(u);
    compare_jacobians<1>(u);
    compare_jacobians<2>(u);
  }
}

namespace {

/// Of class B, whose time step is the longest of all classes, or W, whose is the shortest: the parts of the
/// blocks come in different proportions.
struct lu_blocks {
  npb::problem what;
  npb::lu::sweep_constants k{npb::make_constants(what)};
  spec::grid on = spec::grid_of(what, what.zones[0].shape);

  explicit lu_blocks(char letter) : what{npb::make_problem(npb::benchmark_kind::lu, letter)} {}
};

void check_close(const spec::vector5& found, const spec::vector5& expected) {
  double size = 0;
  for (const double x : expected) size = std::max(size, std::abs(x));
  for (std::size_t m = 0; m < 5; ++m) CHECK(std::abs(found[m] - expected[m]) <= 1e-12 * size);
}

template <npb::lu::sweep S, int D>
void compare_block(const lu_blocks& lu, const spec::vector5& u, const spec::vector5& x) {
  const auto p = npb::lu::make_block_point(lu.k, as_five(u));
  const auto disturbance = npb::lu::make_disturbance(p, as_five(x));
  const int sign = S == npb::lu::sweep::lower ? -1 : 1;
  check_close(as_vector(npb::lu::block_times<S, D>(lu.k, p, disturbance, as_five(x))),
              spec::times(spec::neighbours_block(lu.on, lu.what.dt, D, sign, u), x));
}

}  // namespace

TEST_CASE("what LU multiplies by without forming it are the blocks of SPEC.md", "[npb-mz]") {
  using enum npb::lu::sweep;
  for (const char letter : {'B', 'W'}) {
    std::mt19937 random{spec::seed};
    const lu_blocks lu{letter};
    for (int round = 0; round < 50; ++round) {
      const spec::vector5 u = random_point(random), x = random_point(random);
      compare_block<lower, 0>(lu, u, x);
      compare_block<lower, 1>(lu, u, x);
      compare_block<lower, 2>(lu, u, x);
      compare_block<upper, 0>(lu, u, x);
      compare_block<upper, 1>(lu, u, x);
      compare_block<upper, 2>(lu, u, x);
    }
  }
}

TEST_CASE("LU's diagonal block times what solves it is the right-hand side", "[npb-mz]") {
  for (const char letter : {'B', 'W'}) {
    std::mt19937 random{spec::seed};
    const lu_blocks lu{letter};
    for (int round = 0; round < 50; ++round) {
      const spec::vector5 u = random_point(random), r = random_point(random);
      const auto p = npb::lu::make_block_point(lu.k, as_five(u));
      const auto x = as_vector(npb::lu::solve_diagonal(lu.k, as_five(u), p, as_five(r)));
      check_close(spec::times(spec::diagonal_block(lu.on, lu.what.dt, u), x), r);
    }
  }
}
