#pragma once
/// The first phase of a host step: right-hand side, x and y sweeps of plane after plane. SPEC.md §9.1 to
/// §9.6. In an unnamed namespace: see pack.hpp.

#include "../../common/plane_ring.hpp"
#include "../../common/transposed_rows.hpp"
#include "../../common/two_phase.hpp"
#include "../sp_line_solve.hpp"
#include "sp_rows.hpp"

namespace npb::sp {
namespace {

template <class T>
class plane_step {
 public:
  static constexpr int plane_values = 1;                       ///< a
  static constexpr int tile_values = r_values + wave_values;   ///< r, 1/u1, V2, a
  static constexpr int line_packs = tile_values + row_values;  ///< of an x line, which has most

  plane_step(const step_arguments& a, const thread_scratch& s)
      : a_{a}, s_{s}, ring_{a.c, a.shape, a.u, s.ring}, layout_{a.shape}, width_{layout_.width} {}

  void run(int first_k, int last_k) {
    ring_.start(first_k);
    for (int k = first_k; k < last_k; ++k) {
      ring_.advance(k);
      for (int j = 1; j < a_.shape.ny - 1; j += T::width) x_block(j, k);
      y_sweep(k);
    }
  }

 private:
  /// Right-hand side and txinvr of row j into row t of the tile [t][tile_values][i]: r, 1/u1, V2, a.
  void rhs_row(int t, int j, int k) {
    const auto component = static_cast<std::int64_t>(a_.shape.points());
    double* tile = s_.tile + t * tile_values * width_;
    double* sound = s_.plane + (j - 1) * width_;
    ring_.for_row(j, k, [&](int i, std::int64_t at, const point<T>& p, const five<T>& operator_value) {
      const T a = sound_speed(p);
      const five<T> forcing = load_five<T>(a_.forcing + at, component);
      store_five(tile + i, width_, txinvr(p, a, right_hand_side(a_.c, forcing, operator_value)));
      p.rho_i.store(tile + r_values * width_ + i);
      p.v[0].store(tile + (r_values + 1) * width_ + i);
      a.store(tile + (r_values + 2) * width_ + i);
      a.store(sound + i);
    });
  }

  /// A pack of x lines, transposed: [i][line_packs] packs, those of the tile, D* and E*.
  struct x_line {
    using number = T;
    double* at_one;
    NPB_HD double* at(int l) const { return at_one + (l - 1) * (line_packs * T::width); }
    NPB_HD wave<T> wave_at(int l) const {
      const double* wave = at(l) + r_values * T::width;
      return {T::load(wave), T::load(wave + T::width), T::load(wave + 2 * T::width)};
    }
    NPB_HD five<T> right_hand_side(int l) const { return load_five<T>(at(l), T::width); }
    NPB_HD void keep(int l, const eliminated<T>& row, const five<T>& r) const {
      store_five(at(l), T::width, r);
      store_rows(at(l) + tile_values * T::width, row);
    }
    NPB_HD eliminated<T> kept_rows(int l) const { return load_rows<T>(at(l) + tile_values * T::width); }
    NPB_HD five<T> kept_values(int l) const { return load_five<T>(at(l), T::width); }
    NPB_HD void finish(int l, const five<T>& x) const { store_five(at(l), T::width, ninvr(x)); }
  };

  /// Rows j..j+W-1: right-hand sides, then their x lines as one pack.
  void x_block(int j, int k) {
    const int rows = smaller(T::width, a_.shape.ny - 1 - j), n = a_.shape.nx - 2;
    for (int t = 0; t < rows; ++t) rhs_row(t, j + t, k);
    rows_to_lines<T>(s_.tile, tile_values, width_, rows, n, s_.line, line_packs);
    solve_line<0>(a_.c, a_.shape.nx, x_line{s_.line});
    lines_to_rows<T>(s_.line, line_packs, n, a_.r + layout_.offset(j, k), width_, rows, 5 * width_);
  }

  struct y_line {
    using number = T;
    const double* u1_inverse;  ///< at j = 0
    const double* v;           ///< at j = 0
    std::int64_t ring_row;
    const double* sound;
    double* r;  ///< at j = 1
    std::int64_t width;
    double* rows;  ///< [j-1][row_values] packs

    NPB_HD wave<T> wave_at(int l) const {
      return {T::load(u1_inverse + l * ring_row), T::load(v + l * ring_row),
              T::load(sound + (l - 1) * width)};
    }
    NPB_HD five<T> right_hand_side(int l) const { return load_five<T>(r + (l - 1) * 5 * width, width); }
    NPB_HD void keep(int l, const eliminated<T>& row, const five<T>& x) const {
      store_five(r + (l - 1) * 5 * width, width, x);
      store_rows(rows + (l - 1) * row_values * T::width, row);
    }
    NPB_HD eliminated<T> kept_rows(int l) const {
      return load_rows<T>(rows + (l - 1) * row_values * T::width);
    }
    NPB_HD five<T> kept_values(int l) const { return right_hand_side(l); }
    NPB_HD void finish(int l, const five<T>& x) const {
      store_five(r + (l - 1) * 5 * width, width, pinvr(x));
    }
  };

  void y_sweep(int k) {
    const double* u1_inverse = ring_.derived(k, 0, 0);
    const double* v = ring_.derived(k, 2, 0);
    for (int i = 0; i < a_.shape.nx - 2; i += T::width)
      solve_line<1>(a_.c, a_.shape.ny,
                    y_line{u1_inverse + i, v + i, ring_.row_step(), s_.plane + i,
                           a_.r + layout_.offset(1, k) + i, width_, s_.line});
  }

  const step_arguments& a_;
  const thread_scratch& s_;
  plane_ring<T> ring_;
  r_layout layout_;
  int width_;
};

}  // namespace
}  // namespace npb::sp
