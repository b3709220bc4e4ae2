#pragma once
/// Zones of the benchmarks, and the same fields by SPEC.md alone.

#include "common/solver.hpp"
#include "reference/matrices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace spec {

using namespace npb::formulas;

using fields = std::vector<double>;

inline std::unique_ptr<npb::benchmark> benchmark_of(npb::benchmark_kind kind, npb::problem what) {
  if (kind == npb::benchmark_kind::bt) return npb::bt::make_benchmark(std::move(what));
  if (kind == npb::benchmark_kind::lu) return npb::lu::make_benchmark(std::move(what));
  return npb::sp::make_benchmark(std::move(what));
}

/// Mesh widths by SPEC.md §3: of the average zone.
inline spec::grid grid_of(const npb::problem& what, const npb::zone_shape& s) {
  const auto width = [&](int points, std::size_t zones) {
    const auto parts = static_cast<double>(zones);
    return what.kind == npb::benchmark_kind::lu ? 1 / (points / parts - 1) : parts / (points - 1);
  };
  return {{s.nx, s.ny, s.nz},
          {width(what.gx, what.x_sizes.size()), width(what.gy, what.y_sizes.size()), width(what.gz, 1)}};
}

/// The exact solution at every point; LU's last point has coordinate 1 whatever h is.
inline fields exact_field(npb::benchmark_kind kind, const spec::grid& on) {
  double step[3];
  for (int d = 0; d < 3; ++d) step[d] = kind == npb::benchmark_kind::lu ? 1.0 / (on.n[d] - 1) : on.h[d];
  fields u(5 * on.points());
  for (int k = 0; k < on.n[2]; ++k)
    for (int j = 0; j < on.n[1]; ++j)
      for (int i = 0; i < on.n[0]; ++i)
        for (int m = 0; m < 5; ++m)
          u[m * on.points() + i + j * on.stride(1) + k * on.stride(2)] =
              spec::exact(m, i * step[0], j * step[1], k * step[2]);
  return u;
}

/// A state with positive density and pressure, rough from point to point.
inline fields random_state(const spec::grid& on, std::mt19937& random) {
  std::uniform_real_distribution<double> density{0.7, 2.5}, momentum{-1, 1}, energy{4, 8};
  fields u(5 * on.points());
  for (std::size_t at = 0; at < on.points(); ++at) {
    u[at] = density(random);
    for (std::size_t m = 1; m < 4; ++m) u[m * on.points() + at] = momentum(random);
    u[4 * on.points() + at] = energy(random);
  }
  return u;
}

/// Random inside, 0 on the boundary.
inline fields random_right_hand_side(const spec::grid& on, std::mt19937& random) {
  std::uniform_real_distribution<double> value{-1, 1};
  fields r(5 * on.points());
  on.interior([&](const std::array<int, 3>&, std::size_t at) {
    for (std::size_t m = 0; m < 5; ++m) r[m * on.points() + at] = value(random);
  });
  return r;
}

inline double largest(const fields& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}
inline double largest_difference(const fields& a, const fields& b) {
  double most = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    if (!(std::abs(a[n] - b[n]) <= most)) most = std::abs(a[n] - b[n]);  // a NaN is large
  }
  return most;
}

struct one_zone {
  std::unique_ptr<npb::benchmark> bench;
  spec::grid on;

  explicit one_zone(npb::benchmark_kind kind, npb::zone_shape s = {11, 9, 8})
      : bench{benchmark_of(kind, npb::make_custom_problem(kind, 'W', {s.nx, s.ny, s.nz, 1, 1}))},
        on{grid_of(bench->what(), s)} {}
  npb::zone_shape shape() const { return {on.n[0], on.n[1], on.n[2]}; }
  double dt() const { return bench->what().dt; }
};

inline constexpr std::uint32_t seed = 20261122;

}  // namespace spec
