#pragma once
/// The first phase of a host step: right-hand side, x and y sweeps of plane after plane. SPEC.md §9.1 to
/// §9.6. In an unnamed namespace: see sp_step.hpp.

#include "sp_rows.hpp"
#include "sp_scratch.hpp"

namespace npb::sp {
namespace {

/// Rows of grid points in thread scratch: i = 1 is aligned, i = -1 and the points beyond nx - 1 that the last
/// pack reaches exist (and hold finite numbers nobody uses).
template <class T>
class plane_step {
 public:
  plane_step(const step_arguments& a, const thread_scratch& s)
      : a_{a}, s_{s}, layout_{a.shape}, row_{layout_.ring_row}, plane_{layout_.ring_plane} {
    for (int i = 0; i < layout_.r_row; ++i) {
      const bool inside = i < a.shape.nx - 2;
      const line_stencil<double> w =
          inside ? linear_stencil(a.c.d[0], i + 1, a.shape.nx) : line_stencil<double>{};
      const double weights[5] = {w.m2, w.m1, w.centre, w.p1, w.p2};
      for (int n = 0; n < 5; ++n) s_.x_weights[n * layout_.r_row + i] = weights[n];
    }
  }

  void run(int first_k, int last_k) {
    for (int k = first_k - 2; k < first_k + 2; ++k) load_plane(k);
    for (int k = first_k - 1; k < first_k + 1; ++k) derive_plane(k);
    for (int k = first_k; k < last_k; ++k) {
      load_plane(k + 2);
      derive_plane(k + 1);
      for (int j = 1; j < a_.shape.ny - 1; j += T::width) x_block(j, k);
      y_sweep(k);
    }
  }

 private:
  /// Component m at i = 1 of row j of plane k.
  double* ring(int k, int m, int j) const {
    return s_.ring + ((k + 5) % 5 * 5 + m) * plane_ + j * row_ + scratch_layout::widest_pack;
  }
  /// The same for 1/u1, the velocities, pressure and heat.
  double* derived(int k, int n, int j) const {
    return s_.derived + ((k + 3) % 3 * 6 + n) * plane_ + j * row_ + scratch_layout::widest_pack;
  }

  void load_plane(int k) {
    if (k < 0 || k >= a_.shape.nz) return;
    const auto [nx, ny, nz] = a_.shape;
    const std::int64_t plane = static_cast<std::int64_t>(nx) * ny;
    for (int j = 0; j < ny; ++j)
      for (int m = 0; m < 5; ++m) copy_row(a_.u + (m * nz + k) * plane + j * nx, ring(k, m, j) - 1, nx);
  }
  static void copy_row(const double* from, double* to, int n) {
    int i = 0;
    for (; i + T::width <= n; i += T::width) T::load(from + i).store(to + i);
    for (; i < n; ++i) to[i] = from[i];
  }
  /// From i = 0, so that the last pack ends within the row's padding.
  void derive_plane(int k) {
    for (int j = 0; j < a_.shape.ny; ++j) {
      const double* from = ring(k, 0, j) - 1;
      double* to = derived(k, 0, j) - 1;
      for (int i = 0; i < a_.shape.nx; i += T::width) {
        const point<T> p = make_point(load_five<T>(from + i, plane_));
        p.rho_i.store(to + i);
        for (int m = 0; m < 3; ++m) p.v[m].store(to + (1 + m) * plane_ + i);
        p.pressure.store(to + 4 * plane_ + i);
        p.heat.store(to + 5 * plane_ + i);
      }
    }
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

  field field_at(int j, int k) const {
    field f{};
    for (int o = -2; o <= 2; ++o) {
      const bool row_exists = j + o >= 0 && j + o < a_.shape.ny;
      const bool plane_exists = k + o >= 0 && k + o < a_.shape.nz;
      f.row[2 + o] = row_exists ? o * row_ : 0;
      f.plane[2 + o] = ring(plane_exists ? k + o : k, 0, j);
    }
    for (int o = -1; o <= 1; ++o) f.derived[1 + o] = derived(k + o, 0, j);
    f.component = plane_;
    return f;
  }

  NPB_HD static line_stencil<T> splat(const line_stencil<double>& s) {
    return {s.m2, s.m1, s.centre, s.p1, s.p2};
  }

  /// Right-hand side and txinvr of row j into row t of the tile [t][8][i]: r, 1/u1, V2, a.
  void rhs_row(int t, int j, int k) {
    const auto [nx, ny, nz] = a_.shape;
    field w = field_at(j, k);
    const line_stencil<T> sy = splat(linear_stencil(a_.c.d[1], j, ny));
    const line_stencil<T> sz = splat(linear_stencil(a_.c.d[2], k, nz));
    const std::int64_t component = static_cast<std::int64_t>(nx) * ny * nz;
    const double* f =
        a_.forcing + 1 + static_cast<std::int64_t>(nx) * (j + static_cast<std::int64_t>(ny) * k);
    double* tile = s_.tile + t * 8 * layout_.r_row;
    const int width = layout_.r_row;
    for (int i = 0; i < nx - 2; i += T::width) {
      const double* sx = s_.x_weights + i;
      const line_stencil<T> s[3] = {{T::load(sx), T::load(sx + width), T::load(sx + 2 * width),
                                     T::load(sx + 3 * width), T::load(sx + 4 * width)},
                                    sy,
                                    sz};
      const point<T> p = w.centre();
      const five<T> forcing = load_five<T>(f + i, component);
      const T a = sound_speed(p);
      const five<T> r = txinvr(p, a, right_hand_side(a_.c, forcing, spatial_operator(a_.c, s, p, w)));
      store_five(tile + i, width, r);
      p.rho_i.store(tile + 5 * width + i);
      p.v[0].store(tile + 6 * width + i);
      a.store(tile + 7 * width + i);
      a.store(s_.sound + (j - 1) * width + i);
      for (const double*& plane : w.plane) plane += T::width;
      for (const double*& plane : w.derived) plane += T::width;
    }
  }

  /// A pack of x lines, transposed: [i][14] packs of r (5), 1/u1, V2, a, D* (3), E* (3).
  struct x_line {
    using number = T;
    double* at_one;
    NPB_HD double* at(int l) const { return at_one + (l - 1) * (14 * T::width); }
    NPB_HD wave<T> wave_at(int l) const {
      return {T::load(at(l) + 5 * T::width), T::load(at(l) + 6 * T::width), T::load(at(l) + 7 * T::width)};
    }
    NPB_HD five<T> right_hand_side(int l) const { return load_five<T>(at(l), T::width); }
    NPB_HD void keep(int l, const eliminated<T>& row, const five<T>& r) const {
      store_five(at(l), T::width, r);
      store_rows(at(l) + 8 * T::width, row);
    }
    NPB_HD eliminated<T> kept_rows(int l) const { return load_rows<T>(at(l) + 8 * T::width); }
    NPB_HD five<T> kept_values(int l) const { return load_five<T>(at(l), T::width); }
    NPB_HD void finish(int l, const five<T>& x) const { store_five(at(l), T::width, ninvr(x)); }
  };

  /// Rows j..j+W-1: right-hand sides, then their x lines as one pack. Missing rows repeat the last one.
  void x_block(int j, int k) {
    const int rows = smaller(T::width, a_.shape.ny - 1 - j);
    for (int t = 0; t < rows; ++t) rhs_row(t, j + t, k);
    const int width = layout_.r_row;
    T block[T::width];
    for (int i = 0; i < a_.shape.nx - 2; i += T::width)
      for (int n = 0; n < 8; ++n) {
        for (int t = 0; t < T::width; ++t)
          block[t] = T::load(s_.tile + (smaller(t, rows - 1) * 8 + n) * width + i);
        transpose(block);
        for (int l = 0; l < T::width; ++l) block[l].store(s_.line + ((i + l) * 14 + n) * T::width);
      }
    solve_line<0>(a_.c, a_.shape.nx, x_line{s_.line});
    for (int i = 0; i < a_.shape.nx - 2; i += T::width)
      for (int n = 0; n < 5; ++n) {
        for (int l = 0; l < T::width; ++l) block[l] = T::load(s_.line + ((i + l) * 14 + n) * T::width);
        transpose(block);
        for (int t = 0; t < rows; ++t) block[t].store(a_.r + layout_.r_offset(j + t, k) + n * width + i);
      }
  }

  struct y_line {
    using number = T;
    const double* u1_inverse;  ///< at j = 0
    const double* v;           ///< at j = 0
    std::int64_t ring_row;
    const double* sound;
    double* r;  ///< at j = 1
    std::int64_t width;
    double* rows;  ///< [j-1][6] packs

    NPB_HD wave<T> wave_at(int l) const {
      return {T::load(u1_inverse + l * ring_row), T::load(v + l * ring_row),
              T::load(sound + (l - 1) * width)};
    }
    NPB_HD five<T> right_hand_side(int l) const { return load_five<T>(r + (l - 1) * 5 * width, width); }
    NPB_HD void keep(int l, const eliminated<T>& row, const five<T>& x) const {
      store_five(r + (l - 1) * 5 * width, width, x);
      store_rows(rows + (l - 1) * 6 * T::width, row);
    }
    NPB_HD eliminated<T> kept_rows(int l) const { return load_rows<T>(rows + (l - 1) * 6 * T::width); }
    NPB_HD five<T> kept_values(int l) const { return right_hand_side(l); }
    NPB_HD void finish(int l, const five<T>& x) const {
      store_five(r + (l - 1) * 5 * width, width, pinvr(x));
    }
  };

  void y_sweep(int k) {
    for (int i = 0; i < a_.shape.nx - 2; i += T::width)
      solve_line<1>(a_.c, a_.shape.ny,
                    y_line{derived(k, 0, 0) + i, derived(k, 2, 0) + i, row_, s_.sound + i,
                           a_.r + layout_.r_offset(1, k) + i, layout_.r_row, s_.line});
  }

  const step_arguments& a_;
  const thread_scratch& s_;
  scratch_layout layout_;
  std::int64_t row_;
  std::int64_t plane_;
};

}  // namespace
}  // namespace npb::sp
