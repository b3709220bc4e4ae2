#pragma once
/// What the kernels of the benchmarks have in common: one item for each interior point or line of each zone
/// of a batch.

#include "physics.hpp"
#include "solver.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace npb {

using zone_table = yoke::device_ptr<const device_zone>;

/// Interior indices of a zone, and its work memory: [..][nz-2][ny-2][nx-2] doubles, the first five are r.
struct zone_view {
  int nx, ny, nz;
  double* u;
  const double* forcing;
  double* work;
  std::int64_t component;  ///< of u and forcing
  std::int64_t interior;   ///< points of one component of work

  YOKE_HD explicit zone_view(const device_zone& z)
      : nx{z.nx},
        ny{z.ny},
        nz{z.nz},
        u{z.u.get()},
        forcing{z.forcing.get()},
        work{z.work.get()},
        component{static_cast<std::int64_t>(nx) * ny * nz},
        interior{static_cast<std::int64_t>(nx - 2) * (ny - 2) * (nz - 2)} {}

  YOKE_HD std::int64_t grid_index(int i, int j, int k) const {
    return i + nx * (j + static_cast<std::int64_t>(ny) * k);
  }
  YOKE_HD std::int64_t work_index(int i, int j, int k) const {
    return (i - 1) + (nx - 2) * ((j - 1) + static_cast<std::int64_t>(ny - 2) * (k - 1));
  }
  YOKE_HD five<double> components(std::int64_t at) const {
    five<double> value{};
    for (int m = 0; m < 5; ++m) value[m] = u[m * component + at];
    return value;
  }
  YOKE_HD five<double> load_r(std::int64_t at) const {
    five<double> value{};
    for (int m = 0; m < 5; ++m) value[m] = work[m * interior + at];
    return value;
  }
  YOKE_HD void store_r(std::int64_t at, const five<double>& r) const {
    for (int m = 0; m < 5; ++m) work[m * interior + at] = r[m];
  }
};

/// An interior point and its right-hand side.
struct rhs_value {
  point<double> p;
  five<double> r;
};
/// Of interior point number `x` < z.interior, i fastest.
YOKE_HD inline rhs_value compute_rhs(const zone_view& z, const constants& c, std::int64_t x) {
  // A GPU divides 64 bits by a long routine.
  const auto number = static_cast<std::uint32_t>(x);
  const std::uint32_t row = number / static_cast<std::uint32_t>(z.nx - 2);
  const int i = 1 + static_cast<int>(number % static_cast<std::uint32_t>(z.nx - 2));
  const int j = 1 + static_cast<int>(row % static_cast<std::uint32_t>(z.ny - 2));
  const int k = 1 + static_cast<int>(row / static_cast<std::uint32_t>(z.ny - 2));
  const array_field w{z.u, z.nx, z.ny, z.nz, i, j, k};
  const point<double> p = make_point(w.centre());
  const std::int64_t here = z.grid_index(i, j, k);
  five<double> f{};
  for (int m = 0; m < 5; ++m) f[m] = z.forcing[m * z.component + here];
  return {p, right_hand_side(c, f, w.apply(c, p))};
}

/// A line of a zone. What a solver keeps of its points lies at `kept` + (l - 1) `kept_step`, so that
/// neighbouring threads meet.
struct line_place {
  const zone_view& z;
  int n;                   ///< points of the line
  std::int64_t grid;       ///< index of l = 0 in u
  std::int64_t grid_step;  ///< from l to l + 1
  std::int64_t r;          ///< index of l = 1 in r
  std::int64_t r_step;
  std::int64_t kept;
  std::int64_t kept_step;

  YOKE_HD std::int64_t grid_index(int l) const { return grid + l * grid_step; }
  YOKE_HD std::int64_t r_index(int l) const { return r + (l - 1) * r_step; }
  YOKE_HD point<double> state(int l) const { return make_point(z.components(grid_index(l))); }
  YOKE_HD five<double> load_r(int l) const { return z.load_r(r_index(l)); }
  YOKE_HD void store_r(int l, const five<double>& x) const { z.store_r(r_index(l), x); }
  /// Number `number` of what is kept of point l.
  YOKE_HD double& value(int number, int l) const {
    return z.work[(5 + number) * z.interior + kept + (l - 1) * kept_step];
  }
  YOKE_HD void add_to_state(int l, const five<double>& change) const {
    store_state(l, z.components(grid_index(l)), change);
  }
  /// `before` + `change`
  YOKE_HD void store_state(int l, const five<double>& before, const five<double>& change) const {
    for (int m = 0; m < 5; ++m) z.u[m * z.component + grid_index(l)] = before[m] + change[m];
  }
};

YOKE_HD inline std::int64_t lines_of(const zone_view& z, int d) {
  return z.interior / ((d == 0 ? z.nx : d == 1 ? z.ny : z.nz) - 2);
}

/// Line number `x` < lines_of(z, D) in direction D. Consecutive numbers take consecutive j in x, and
/// consecutive i in y and z.
template <int D>
YOKE_HD inline line_place find_line(const zone_view& z, std::int64_t x) {
  const std::int64_t lines = D == 0 ? z.ny - 2 : z.nx - 2;
  // A GPU divides 64 bits by a long routine.
  const auto short_x = static_cast<std::uint32_t>(x), short_lines = static_cast<std::uint32_t>(lines);
  const int first = 1 + static_cast<int>(short_x % short_lines),
            second = 1 + static_cast<int>(short_x / short_lines);
  if constexpr (D == 0) {
    const std::int64_t kept = (first - 1) + lines * (z.nx - 2) * (second - 1);
    return {z, z.nx, z.grid_index(0, first, second), 1, z.work_index(1, first, second), 1, kept, lines};
  } else if constexpr (D == 1) {
    const std::int64_t r = z.work_index(first, 1, second);
    return {z, z.ny, z.grid_index(first, 0, second), z.nx, r, lines, r, lines};
  } else {
    const std::int64_t r = z.work_index(first, second, 1);
    const std::int64_t step = lines * (z.ny - 2);
    return {z, z.nz, z.grid_index(first, second, 0), static_cast<std::int64_t>(z.nx) * z.ny, r, step,
            r, step};
  }
}

/// The most items that any zone of a batch has.
struct batch_extents {
  std::int64_t points = 0, x_lines = 0, y_lines = 0, z_lines = 0;

  explicit batch_extents(std::span<const zone_shape> shapes) {
    for (const zone_shape& s : shapes) {
      const std::int64_t nx = s.nx - 2, ny = s.ny - 2, nz = s.nz - 2;
      points = std::max(points, nx * ny * nz);
      x_lines = std::max(x_lines, ny * nz);
      y_lines = std::max(y_lines, nx * nz);
      z_lines = std::max(z_lines, nx * ny);
    }
  }
};

}  // namespace npb
