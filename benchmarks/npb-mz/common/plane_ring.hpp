#pragma once
/// The planes of a zone around the one that is computed, for the spatial operator in packs along i.
/// In an unnamed namespace: see pack.hpp.

#include "pack_rows.hpp"
#include "physics.hpp"
#include "ring_layout.hpp"

namespace npb {
namespace {

/// u of five planes and derived values of three, so that u is read once. i = 1 is aligned; i = -1 and the
/// points beyond nx - 1 that the last pack reaches exist and hold finite numbers nobody uses.
template <class T>
class plane_ring {
 public:
  plane_ring(const constants& c, const zone_shape& shape, const double* u, const ring_memory& memory)
      : c_{c}, shape_{shape}, u_{u}, memory_{memory}, layout_{shape} {
    for (int i = 0; i < layout_.width; ++i) {
      const bool inside = i < shape.nx - 2;
      const line_stencil<double> w =
          inside ? linear_stencil(c.d[0], i + 1, shape.nx) : line_stencil<double>{};
      const double weights[5] = {w.m2, w.m1, w.centre, w.p1, w.p2};
      for (int n = 0; n < 5; ++n) memory_.x_weights[n * layout_.width + i] = weights[n];
    }
  }

  /// Makes ready for advance(first_k).
  void start(int first_k) {
    for (int k = first_k - 2; k < first_k + 2; ++k) load_plane(k);
    for (int k = first_k - 1; k < first_k + 1; ++k) derive_plane(k);
  }
  /// Makes ready for the points of plane k, which follows the last one.
  void advance(int k) {
    load_plane(k + 2);
    derive_plane(k + 1);
  }

  /// The state around a pack of points; planes and rows outside the zone are replaced by the own one.
  struct field {
    const double* plane[5];    ///< u at the point, in planes k-2..k+2
    const double* derived[3];  ///< in planes k-1..k+1
    std::int64_t row[5];       ///< offset of rows j-2..j+2
    std::int64_t component;

    template <int D>
    NPB_HD five<T> at(int offset) const {
      const double* p = D == 2 ? plane[2 + offset] : plane[2] + (D == 0 ? offset : row[2 + offset]);
      return load_five<T>(p, component);
    }
    template <int D>
    NPB_HD point<T> beside(int offset) const {
      const double* p = D == 2 ? derived[1 + offset] : derived[1] + (D == 0 ? offset : row[2 + offset]);
      point<T> value{at<D>(offset), T::load(p), {}, {}, {}, {}};
      for (int m = 0; m < 3; ++m) value.v[m] = T::load(p + (1 + m) * component);
      value.q = kinetic_energy(value.v);
      value.pressure = T::load(p + 4 * component);
      value.heat = T::load(p + 5 * component);
      return value;
    }
    NPB_HD point<T> centre() const { return beside<0>(0); }
  };

  /// Calls f(i, at, centre, R(u)) for the packs of row j of plane k: i = 0 is the first interior point, `at`
  /// its index in a field of the zone. Inlined, the compiler would carry some fifty addresses from row to
  /// row, in memory: 20 % of SP's speed in zones of 16 points.
  template <class F>
  __attribute__((noinline)) void for_row(int j, int k, F&& f) const {
    field w = field_at(j, k);
    const line_stencil<T> sy = splat(linear_stencil(c_.d[1], j, shape_.ny));
    const line_stencil<T> sz = splat(linear_stencil(c_.d[2], k, shape_.nz));
    const std::int64_t first =
        1 + static_cast<std::int64_t>(shape_.nx) * (j + static_cast<std::int64_t>(shape_.ny) * k);
    const int width = layout_.width;
    for (int i = 0; i < shape_.nx - 2; i += T::width) {
      const double* sx = memory_.x_weights + i;
      const line_stencil<T> s[3] = {{T::load(sx), T::load(sx + width), T::load(sx + 2 * width),
                                     T::load(sx + 3 * width), T::load(sx + 4 * width)},
                                    sy,
                                    sz};
      const point<T> p = w.centre();
      f(i, first + i, p, spatial_operator(c_, s, p, w));
      for (const double*& plane : w.plane) plane += T::width;
      for (const double*& plane : w.derived) plane += T::width;
    }
  }

  /// Component m at i = 1 of row j of plane k.
  double* state(int k, int m, int j) const {
    return memory_.state + ((k + 5) % 5 * 5 + m) * layout_.plane + j * layout_.row + layout_.widest_pack;
  }
  /// The same for 1/u1, the velocities, pressure and heat.
  double* derived(int k, int n, int j) const {
    return memory_.derived + ((k + 3) % 3 * 6 + n) * layout_.plane + j * layout_.row + layout_.widest_pack;
  }
  /// From one row to the next, in both, and from one component to the next.
  std::int64_t row_step() const { return layout_.row; }
  std::int64_t component_step() const { return layout_.plane; }

 private:
  void load_plane(int k) {
    if (k < 0 || k >= shape_.nz) return;
    const auto [nx, ny, nz] = shape_;
    const std::int64_t plane = static_cast<std::int64_t>(nx) * ny;
    for (int j = 0; j < ny; ++j)
      for (int m = 0; m < 5; ++m) copy_row(u_ + (m * nz + k) * plane + j * nx, state(k, m, j) - 1, nx);
  }
  static void copy_row(const double* from, double* to, int n) {
    int i = 0;
    for (; i + T::width <= n; i += T::width) T::load(from + i).store(to + i);
    for (; i < n; ++i) to[i] = from[i];
  }
  /// From i = 0, so that the last pack ends within the row's padding.
  void derive_plane(int k) {
    const int plane = layout_.plane;
    for (int j = 0; j < shape_.ny; ++j) {
      const double* from = state(k, 0, j) - 1;
      double* to = derived(k, 0, j) - 1;
      for (int i = 0; i < shape_.nx; i += T::width) {
        const point<T> p = make_point(load_five<T>(from + i, plane));
        p.rho_i.store(to + i);
        for (int m = 0; m < 3; ++m) p.v[m].store(to + (1 + m) * plane + i);
        p.pressure.store(to + 4 * plane + i);
        p.heat.store(to + 5 * plane + i);
      }
    }
  }

  field field_at(int j, int k) const {
    field f{};
    for (int o = -2; o <= 2; ++o) {
      const bool row_exists = j + o >= 0 && j + o < shape_.ny;
      const bool plane_exists = k + o >= 0 && k + o < shape_.nz;
      f.row[2 + o] = row_exists ? o * layout_.row : 0;
      f.plane[2 + o] = state(plane_exists ? k + o : k, 0, j);
    }
    for (int o = -1; o <= 1; ++o) f.derived[1 + o] = derived(k + o, 0, j);
    f.component = layout_.plane;
    return f;
  }

  NPB_HD static line_stencil<T> splat(const line_stencil<double>& s) {
    return {s.m2, s.m1, s.centre, s.p1, s.p2};
  }

  const constants& c_;
  const zone_shape& shape_;
  const double* u_;
  const ring_memory& memory_;
  ring_layout layout_;
};

}  // namespace
}  // namespace npb
