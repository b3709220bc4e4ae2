#include "sp_kernels.hpp"

#include "sp_physics.hpp"

#include <algorithm>

namespace npb::sp {
namespace {

using zone_table = yoke::device_ptr<const device_zone>;

/// Interior indices of a zone, and its work memory: r and the eliminated rows, [11][nz-2][ny-2][nx-2]
/// doubles.
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
  YOKE_HD point<double> state(std::int64_t at) const {
    five<double> value{};
    for (int m = 0; m < 5; ++m) value[m] = u[m * component + at];
    return make_point(value);
  }
};

YOKE_HD inline void store_r(const zone_view& z, std::int64_t at, const five<double>& r) {
  for (int m = 0; m < 5; ++m) z.work[m * z.interior + at] = r[m];
}

struct rhs_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, constants c) const {
    const zone_view z{zones[at.y]};
    if (at.x >= z.interior) return;
    const int i = 1 + static_cast<int>(at.x % (z.nx - 2));
    const int j = 1 + static_cast<int>(at.x / (z.nx - 2) % (z.ny - 2));
    const int k = 1 + static_cast<int>(at.x / (z.nx - 2) / (z.ny - 2));
    const array_field w{z.u, z.nx, z.ny, z.nz, i, j, k};
    const point<double> p = make_point(w.centre());
    const std::int64_t here = z.grid_index(i, j, k);
    five<double> f{};
    for (int m = 0; m < 5; ++m) f[m] = z.forcing[m * z.component + here];
    store_r(z, at.x, txinvr(p, sound_speed(p), right_hand_side(c, f, w.apply(c, p))));
  }
};

/// A line of a zone. The rows are kept at `rows` + l `row_step`, so that neighbouring threads meet.
struct line_base {
  using number = double;
  const zone_view& z;
  std::int64_t grid;       ///< index of l = 0 in u
  std::int64_t grid_step;  ///< from l to l + 1
  std::int64_t r;          ///< index of l = 1 in r
  std::int64_t r_step;
  std::int64_t rows;
  std::int64_t row_step;

  YOKE_HD point<double> state(int l) const { return z.state(grid + l * grid_step); }
  YOKE_HD five<double> load_r(int l) const {
    five<double> value{};
    for (int m = 0; m < 5; ++m) value[m] = z.work[m * z.interior + r + (l - 1) * r_step];
    return value;
  }
  YOKE_HD double& row(int n, int l) const { return z.work[(5 + n) * z.interior + rows + (l - 1) * row_step]; }

  YOKE_HD five<double> right_hand_side(int l) const { return load_r(l); }
  YOKE_HD void keep(int l, const eliminated<double>& e, const five<double>& x) const {
    store_r(z, r + (l - 1) * r_step, x);
    for (int n = 0; n < 3; ++n) {
      row(n, l) = e.d[n];
      row(3 + n, l) = e.e[n];
    }
  }
  YOKE_HD eliminated<double> kept_rows(int l) const {
    return {{row(0, l), row(1, l), row(2, l)}, {row(3, l), row(4, l), row(5, l)}};
  }
  YOKE_HD five<double> kept_values(int l) const { return load_r(l); }
};

template <int D>
struct line : line_base {
  YOKE_HD wave<double> wave_at(int l) const {
    const point<double> p = state(l);
    return {p.rho_i, p.v[D], sound_speed(p)};
  }
  YOKE_HD void finish(int l, const five<double>& x) const {
    if constexpr (D == 0) store_r(z, r + (l - 1) * r_step, ninvr(x));
    if constexpr (D == 1) store_r(z, r + (l - 1) * r_step, pinvr(x));
    if constexpr (D == 2) {
      const point<double> p = state(l);
      const five<double> change = tzetar(p, sound_speed(p), x);
      for (int m = 0; m < 5; ++m) z.u[m * z.component + grid + l * grid_step] = p.u[m] + change[m];
    }
  }
};

/// Consecutive threads take consecutive j, and keep their rows side by side.
struct x_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, constants c) const {
    const zone_view z{zones[at.y]};
    const int lines = z.ny - 2;
    if (at.x >= static_cast<std::int64_t>(lines) * (z.nz - 2)) return;
    const int j = 1 + static_cast<int>(at.x % lines), k = 1 + static_cast<int>(at.x / lines);
    const std::int64_t rows = (j - 1) + static_cast<std::int64_t>(lines) * (z.nx - 2) * (k - 1);
    solve_line<0>(c, z.nx, line<0>{{z, z.grid_index(0, j, k), 1, z.work_index(1, j, k), 1, rows, lines}});
  }
};

struct y_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, constants c) const {
    const zone_view z{zones[at.y]};
    const int lines = z.nx - 2;
    if (at.x >= static_cast<std::int64_t>(lines) * (z.nz - 2)) return;
    const int i = 1 + static_cast<int>(at.x % lines), k = 1 + static_cast<int>(at.x / lines);
    const std::int64_t r = z.work_index(i, 1, k);
    solve_line<1>(c, z.ny, line<1>{{z, z.grid_index(i, 0, k), z.nx, r, lines, r, lines}});
  }
};

struct z_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, constants c) const {
    const zone_view z{zones[at.y]};
    const int lines = z.nx - 2;
    if (at.x >= static_cast<std::int64_t>(lines) * (z.ny - 2)) return;
    const int i = 1 + static_cast<int>(at.x % lines), j = 1 + static_cast<int>(at.x / lines);
    const std::int64_t r = z.work_index(i, j, 1);
    const std::int64_t step = static_cast<std::int64_t>(lines) * (z.ny - 2);
    const std::int64_t plane = static_cast<std::int64_t>(z.nx) * z.ny;
    solve_line<2>(c, z.nz, line<2>{{z, z.grid_index(i, j, 0), plane, r, step, r, step}});
  }
};

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

class sp_device_solver final : public device_solver {
 public:
  explicit sp_device_solver(const constants& c) : c_{c} {}

  std::size_t scratch_bytes(const zone_shape& shape) const override {
    return 11 * shape.interior_points() * sizeof(double);
  }

  void advance(yoke::device& device, yoke::stream_handle stream, yoke::device_ptr<const device_zone> table,
               std::span<const zone_shape> shapes) override {
    const batch_extents most{shapes};
    const auto zones = static_cast<std::int64_t>(shapes.size());
    yoke::launch<rhs_kernel>(device, stream, {most.points, zones}, "sp: compute_rhs", table, c_);
    yoke::launch<x_kernel>(device, stream, {most.x_lines, zones}, "sp: x_solve", table, c_);
    yoke::launch<y_kernel>(device, stream, {most.y_lines, zones}, "sp: y_solve", table, c_);
    yoke::launch<z_kernel>(device, stream, {most.z_lines, zones}, "sp: z_solve", table, c_);
  }

 private:
  constants c_;
};

}  // namespace

std::unique_ptr<device_solver> make_device_solver(const constants& c) {
  return std::make_unique<sp_device_solver>(c);
}

}  // namespace npb::sp
