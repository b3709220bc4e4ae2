#include "lu_kernels.hpp"

#include "lu_physics.hpp"

#include <algorithm>

namespace npb::lu {
namespace {

using zone_table = yoke::device_ptr<const device_zone>;

/// A zone and its work memory: v, [5][nz-2][ny-2][nx-2] doubles.
struct zone_view {
  int nx, ny, nz;
  double* u;
  const double* forcing;
  double* rsd;
  double* v;
  std::int64_t component;  ///< of u, forcing and rsd
  std::int64_t interior;   ///< of v

  YOKE_HD explicit zone_view(const device_zone& z)
      : nx{z.nx},
        ny{z.ny},
        nz{z.nz},
        u{z.u.get()},
        forcing{z.forcing.get()},
        rsd{z.residual.get()},
        v{z.work.get()},
        component{static_cast<std::int64_t>(nx) * ny * nz},
        interior{static_cast<std::int64_t>(nx - 2) * (ny - 2) * (nz - 2)} {}

  YOKE_HD std::int64_t grid_index(int i, int j, int k) const {
    return i + nx * (j + static_cast<std::int64_t>(ny) * k);
  }
  YOKE_HD std::int64_t v_index(int i, int j, int k) const {
    return (i - 1) + (nx - 2) * ((j - 1) + static_cast<std::int64_t>(ny - 2) * (k - 1));
  }
};

YOKE_HD inline five<double> load(const double* field, std::int64_t stride, std::int64_t at) {
  five<double> x{};
  for (int m = 0; m < 5; ++m) x[m] = field[m * stride + at];
  return x;
}
YOKE_HD inline void store(double* field, std::int64_t stride, std::int64_t at, const five<double>& x) {
  for (int m = 0; m < 5; ++m) field[m * stride + at] = x[m];
}

/// An interior point.
struct place {
  int i, j, k;
};
/// Point `n` of the zone, x fastest.
YOKE_HD inline place place_of(const zone_view& z, std::int64_t n) {
  return {1 + static_cast<int>(n % (z.nx - 2)), 1 + static_cast<int>(n / (z.nx - 2) % (z.ny - 2)),
          1 + static_cast<int>(n / (z.nx - 2) / (z.ny - 2))};
}
/// The point of hyperplane `h` in line `n` of the x lines; i is outside of the zone where there is none.
YOKE_HD inline place place_on(const zone_view& z, int h, std::int64_t n) {
  const int j = static_cast<int>(n % (z.ny - 2)), k = static_cast<int>(n / (z.ny - 2));
  return {1 + h - j - k, 1 + j, 1 + k};
}

/// What the neighbour at (i, j, k) in direction D contributes: nothing from the boundary, where v is 0.
template <sweep S, int D>
YOKE_HD inline five<double> contribution(const sweep_constants& c, const zone_view& z, const place& at) {
  const bool inside = D == 0   ? at.i >= 1 && at.i <= z.nx - 2
                      : D == 1 ? at.j >= 1 && at.j <= z.ny - 2
                               : at.k >= 1 && at.k <= z.nz - 2;
  if (!inside) return {};
  const five<double> u = load(z.u, z.component, z.grid_index(at.i, at.j, at.k));
  const five<double> v = load(z.v, z.interior, z.v_index(at.i, at.j, at.k));
  const block_point<double> p = make_block_point(c, u);
  return block_times<S, D>(c, p, make_disturbance(p, v), v);
}
template <sweep S>
YOKE_HD inline five<double> contributions(const sweep_constants& c, const zone_view& z, const place& p) {
  constexpr int step = S == sweep::lower ? -1 : 1;
  return sum_of(contribution<S, 0>(c, z, {p.i + step, p.j, p.k}),
                contribution<S, 1>(c, z, {p.i, p.j + step, p.k}),
                contribution<S, 2>(c, z, {p.i, p.j, p.k + step}));
}

template <sweep S>
struct sweep_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, sweep_constants c, int h) const {
    const zone_view z{zones[at.y]};
    if (at.x >= static_cast<std::int64_t>(z.ny - 2) * (z.nz - 2)) return;
    const place here = place_on(z, h, at.x);
    if (here.i < 1 || here.i > z.nx - 2) return;
    const std::int64_t n = z.grid_index(here.i, here.j, here.k), n_v = z.v_index(here.i, here.j, here.k);
    const five<double> u = load(z.u, z.component, n);
    const block_point<double> p = make_block_point(c, u);
    const five<double> sum = contributions<S>(c, z, here);
    if constexpr (S == sweep::lower) {
      store(z.v, z.interior, n_v, lower_value(c, u, p, load(z.rsd, z.component, n), c.dt, sum));
    } else {
      store(z.v, z.interior, n_v, upper_value(c, u, p, load(z.v, z.interior, n_v), sum));
    }
  }
};

struct update_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones) const {
    const zone_view z{zones[at.y]};
    if (at.x >= z.interior) return;
    const place here = place_of(z, at.x);
    const std::int64_t n = z.grid_index(here.i, here.j, here.k);
    store(z.u, z.component, n, updated(load(z.u, z.component, n), load(z.v, z.interior, at.x)));
  }
};

struct residual_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, constants c) const {
    const zone_view z{zones[at.y]};
    if (at.x >= z.interior) return;
    const place here = place_of(z, at.x);
    const std::int64_t n = z.grid_index(here.i, here.j, here.k);
    const array_field w{z.u, z.nx, z.ny, z.nz, here.i, here.j, here.k};
    const five<double> r = w.apply(c, make_point(w.centre()));
    store(z.rsd, z.component, n, residual(r, load(z.forcing, z.component, n)));
  }
};

/// Row `at.x` of the sums of norms.hpp's residual_row_sums.
struct residual_sums_kernel {
  YOKE_HD void operator()(yoke::item at, device_zone zone, yoke::device_ptr<double> sums) const {
    const zone_view z{zone};
    const int j = 1 + static_cast<int>(at.x % (z.ny - 2)), k = 1 + static_cast<int>(at.x / (z.ny - 2));
    five<double> row{};
    for (int i = 1; i < z.nx - 1; ++i) {
      const five<double> x = load(z.rsd, z.component, z.grid_index(i, j, k));
      for (int m = 0; m < 5; ++m) row[m] += x[m] * x[m];
    }
    for (int m = 0; m < 5; ++m) sums[5 * at.x + m] = row[m];
  }
};

/// The most items and hyperplanes that any zone of a batch has.
struct batch_extents {
  std::int64_t points = 0, x_lines = 0;
  int hyperplanes = 0;

  explicit batch_extents(std::span<const zone_shape> shapes) {
    for (const zone_shape& s : shapes) {
      const std::int64_t nx = s.nx - 2, ny = s.ny - 2, nz = s.nz - 2;
      points = std::max(points, nx * ny * nz);
      x_lines = std::max(x_lines, ny * nz);
      hyperplanes = std::max(hyperplanes, static_cast<int>(nx + ny + nz - 2));
    }
  }
};

class lu_device_solver final : public device_solver {
 public:
  explicit lu_device_solver(const constants& c) : c_{c}, k_{c} {}

  std::size_t scratch_bytes(const zone_shape& shape) const override {
    return n_components * shape.interior_points() * sizeof(double);
  }

  // A zone with fewer hyperplanes than another one finds no point on those it does not have.
  void advance(yoke::device& device, yoke::stream_handle stream, yoke::device_ptr<const device_zone> table,
               std::span<const zone_shape> shapes) override {
    const batch_extents most{shapes};
    const auto zones = static_cast<std::int64_t>(shapes.size());
    for (int h = 0; h < most.hyperplanes; ++h)
      yoke::launch<sweep_kernel<sweep::lower>>(device, stream, {most.x_lines, zones}, "lu: lower sweep",
                                               table, k_, h);
    for (int h = most.hyperplanes - 1; h >= 0; --h)
      yoke::launch<sweep_kernel<sweep::upper>>(device, stream, {most.x_lines, zones}, "lu: upper sweep",
                                               table, k_, h);
    yoke::launch<update_kernel>(device, stream, {most.points, zones}, "lu: update", table);
    yoke::launch<residual_kernel>(device, stream, {most.points, zones}, "lu: residual", table, c_);
  }

  void sum_residual(yoke::device& device, yoke::stream_handle stream, const device_zone& zone,
                    yoke::device_ptr<double> sums) override {
    const std::int64_t rows = static_cast<std::int64_t>(zone.ny - 2) * (zone.nz - 2);
    yoke::launch<residual_sums_kernel>(device, stream, {rows, 1}, "lu: residual norm", zone, sums);
  }

 private:
  constants c_;
  sweep_constants k_;
};

}  // namespace

std::unique_ptr<device_solver> make_device_solver(const constants& c) {
  return std::make_unique<lu_device_solver>(c);
}

}  // namespace npb::lu
