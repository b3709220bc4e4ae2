#pragma once
/// The first phase of a host step: right-hand side, x and y sweeps of plane after plane. SPEC.md §10.1,
/// §10.2. In an unnamed namespace: see pack.hpp.

#include "../../common/plane_ring.hpp"
#include "../../common/transposed_rows.hpp"
#include "../../common/two_phase.hpp"
#include "../bt_line_solve.hpp"
#include "bt_columns.hpp"

namespace npb::bt {
namespace {

template <class T>
class plane_step {
 public:
  static constexpr int plane_values = 0;
  static constexpr int tile_values = r_values + sweep_values;    ///< r, 1/u1, velocity, u5
  static constexpr int line_packs = tile_values + block_values;  ///< of an x line, which has most

  plane_step(const step_arguments& a, const thread_scratch& s)
      : a_{a}, s_{s}, ring_{a.c, a.shape, a.u, s.ring}, layout_{a.shape}, width_{layout_.width} {}

  void run(int first_k, int last_k) {
    ring_.start(first_k);
    for (int k = first_k; k < last_k; ++k) {
      ring_.advance(k);
      for_each_pack<T>(a_.shape.ny - 2, [&]<class P>(P, int j) { x_block<P>(1 + j, k); });
      y_sweep(k);
    }
  }

 private:
  /// Right-hand side of row j into row t of the tile [t][tile_values][i]: r, 1/u1, velocity, u5.
  void rhs_row(int t, int j, int k) {
    const auto component = static_cast<std::int64_t>(a_.shape.points());
    double* tile = s_.tile + t * tile_values * width_;
    ring_.for_row(j, k, [&](int i, std::int64_t at, const point<T>& p, const five<T>& operator_value) {
      const five<T> forcing = load_five<T>(a_.forcing + at, component);
      store_five(tile + i, width_, right_hand_side(a_.c, forcing, operator_value));
      p.rho_i.store(tile + r_values * width_ + i);
      for (int m = 0; m < 3; ++m) p.v[m].store(tile + (r_values + 1 + m) * width_ + i);
      p.u[4].store(tile + (r_values + 4) * width_ + i);
    });
  }

  /// A pack of x lines, transposed: [i][line_packs] packs, those of the tile and C*.
  template <class P>
  struct x_line {
    using number = P;
    double* at_one;
    NPB_HD double* at(int l) const { return at_one + (l - 1) * (line_packs * P::width); }
    NPB_HD point<P> state(int l) const {
      return sweep_point(load_five<P>(at(l) + r_values * P::width, P::width));
    }
    NPB_HD five<P> right_hand_side(int l) const { return load_five<P>(at(l), P::width); }
    NPB_HD void keep_column(int l, int column, const five<P>& x) const {
      store_column(at(l) + tile_values * P::width, column, x);
    }
    NPB_HD void keep_values(int l, const five<P>& x) const { store_five(at(l), P::width, x); }
    NPB_HD five<P> kept_column(int l, int column) const {
      return load_column<P>(at(l) + tile_values * P::width, column);
    }
    NPB_HD five<P> kept_values(int l) const { return right_hand_side(l); }
    NPB_HD void finish(int l, const five<P>& x) const { keep_values(l, x); }
  };

  /// Rows j..j+W-1: right-hand sides, then their x lines as one pack.
  template <class P>
  void x_block(int j, int k) {
    const int rows = smaller(P::width, a_.shape.ny - 1 - j), n = a_.shape.nx - 2;
    for (int t = 0; t < rows; ++t) rhs_row(t, j + t, k);
    rows_to_lines<P>(s_.tile, tile_values, width_, rows, n, s_.line, line_packs);
    solve_line<0>(a_.c, a_.shape.nx, x_line<P>{s_.line});
    lines_to_rows<P>(s_.line, line_packs, n, a_.r + layout_.offset(j, k), width_, rows, 5 * width_);
  }

  template <class P>
  struct y_line {
    using number = P;
    const double* derived;  ///< 1/u1 at j = 0
    std::int64_t derived_step;
    const double* energy;  ///< u5 at j = 0
    std::int64_t ring_row;
    double* r;  ///< at j = 1
    std::int64_t width;
    double* columns;  ///< [j-1][block_values] packs of C*

    NPB_HD point<P> state(int l) const {
      const double* p = derived + l * ring_row;
      return sweep_point<P>({{P::load(p), P::load(p + derived_step), P::load(p + 2 * derived_step),
                              P::load(p + 3 * derived_step), P::load(energy + l * ring_row)}});
    }
    NPB_HD five<P> right_hand_side(int l) const { return load_five<P>(r + (l - 1) * 5 * width, width); }
    NPB_HD void keep_column(int l, int column, const five<P>& x) const {
      store_column(columns + (l - 1) * (block_values * P::width), column, x);
    }
    NPB_HD void keep_values(int l, const five<P>& x) const { store_five(r + (l - 1) * 5 * width, width, x); }
    NPB_HD five<P> kept_column(int l, int column) const {
      return load_column<P>(columns + (l - 1) * (block_values * P::width), column);
    }
    NPB_HD five<P> kept_values(int l) const { return right_hand_side(l); }
    NPB_HD void finish(int l, const five<P>& x) const { keep_values(l, x); }
  };

  void y_sweep(int k) {
    const double* derived = ring_.derived(k, 0, 0);
    const double* energy = ring_.state(k, 4, 0);
    double* r = a_.r + layout_.offset(1, k);
    for_each_pack<T>(a_.shape.nx - 2, [&]<class P>(P, int i) {
      solve_line<1>(a_.c, a_.shape.ny,
                    y_line<P>{derived + i, ring_.component_step(), energy + i, ring_.row_step(), r + i,
                              width_, s_.line});
    });
  }

  const step_arguments& a_;
  const thread_scratch& s_;
  plane_ring<T> ring_;
  r_layout layout_;
  int width_;
};

}  // namespace
}  // namespace npb::bt
