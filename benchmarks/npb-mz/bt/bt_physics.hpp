#pragma once
/// The block-tridiagonal line solver of BT, once for all number types. SPEC.md §10.

#include "../common/jacobians.hpp"

#include <type_traits>

namespace npb::bt {

namespace detail {

/// What a point contributes to the blocks of its line in direction D.
template <int D, class T>
struct blocks_of {
  block<T> flow;       ///< dt t2 F
  block<T> diffusion;  ///< dt t1 (N + delta I)

  NPB_HD blocks_of(const direction_constants& k, const point<T>& p)
      : flow{convective_jacobian<D>(p, k.dt_t2)}, diffusion{viscous_jacobian<D>(p, k.dt_t1)} {
    NPB_UNROLL
    for (int m = 0; m < 5; ++m) diffusion.a[m][m] = diffusion.a[m][m] + T(k.dt_t1 * k.delta);
  }

  NPB_HD static constexpr bool diffuses(int row, int column) {
    return row == column || in_viscous_jacobian(row, column);
  }
  /// C of the row below the point.
  NPB_HD T upper(int row, int column) const {
    if (!diffuses(row, column)) return flow.a[row][column];
    if (!in_convective_jacobian(D, row, column)) return -diffusion.a[row][column];
    return flow.a[row][column] - diffusion.a[row][column];
  }
  /// B of the point's own row.
  NPB_HD T own(int row, int column) const {
    const T identity = T(row == column ? 1.0 : 0.0);
    return diffuses(row, column) ? fma(T(2.0), diffusion.a[row][column], identity) : identity;
  }
  /// -A of the row above the point.
  NPB_HD T minus_lower(int row, int column) const {
    if (!diffuses(row, column)) return flow.a[row][column];
    if (!in_convective_jacobian(D, row, column)) return diffusion.a[row][column];
    return flow.a[row][column] + diffusion.a[row][column];
  }
};

/// The first row in which each column of C may differ from 0, three bits a column: a number, so that GPU
/// compilers know it where the column is known.
template <int D>
NPB_HD constexpr int packed_first_rows() {
  int packed = 0;
  for (int column = 0; column < 5; ++column) {
    int row = 0;
    while (!in_coupling(D, row, column)) ++row;
    packed |= row << (3 * column);
  }
  return packed;
}
template <int D>
NPB_HD int first_row_of(int column) {
  constexpr int packed = packed_first_rows<D>();
  return packed >> (3 * column) & 7;
}

/// The row of the line that was eliminated last: factors of M and r*, and -A of the row after it.
template <class T>
struct eliminated {
  block<T> factors;
  five<T> r;
  block<T> minus_lower;
};

template <class T>
NPB_HD void eliminate_row(eliminated<T>& e) {
  factor(e.factors);
  substitute(e.factors, e.r);
}

template <int D, class T>
NPB_HD eliminated<T> first_row(const blocks_of<D, T>& here, const five<T>& r) {
  eliminated<T> e{{}, r, {}};
  NPB_UNROLL
  for (int column = 0; column < 5; ++column)
    for (int row = 0; row < 5; ++row) {
      e.factors.a[row][column] = here.own(row, column);
      e.minus_lower.a[row][column] = here.minus_lower(row, column);
    }
  eliminate_row(e);
  return e;
}

/// A column of C* of the row in `e`, from what the row above contributes.
template <int D, class T>
NPB_HD five<T> star_column(const blocks_of<D, T>& above, const eliminated<T>& e, int column) {
  five<T> x{};
  NPB_UNROLL
  for (int row = 0; row < 5; ++row) x[row] = above.upper(row, column);
  substitute(e.factors, x, first_row_of<D>(column));
  return x;
}

/// Completes C* of the row in `e`, which the line keeps, and gives M and the right-hand side of row l, not
/// yet eliminated.
template <int D, class Line, class T>
NPB_HD eliminated<T> couple_row(const direction_constants& k, Line& line, int l, const eliminated<T>& e) {
  const blocks_of<D, T> here{k, line.state(l)};
  eliminated<T> next;
  // Column after column, so that few values wait in registers at a time.
  NPB_UNROLL
  for (int column = 0; column < 5; ++column) {
    const five<T> x = star_column<D>(here, e, column);
    line.keep_column(l - 1, column, x);
    five<T> y{};
    NPB_UNROLL
    for (int row = 0; row < 5; ++row) {
      y[row] = here.own(row, column);
      next.minus_lower.a[row][column] = here.minus_lower(row, column);
    }
    add_coupling<D>(y, e.minus_lower, x);
    set_column(next.factors, column, y);
  }
  next.r = line.right_hand_side(l);
  add_coupling<D>(next.r, e.minus_lower, e.r);
  return next;
}

/// x_l = r*_l - C*_l x_{l+1}
template <class T, class Line>
NPB_HD five<T> solution_below(const Line& line, int l, const five<T>& above) {
  five<T> x = line.kept_values(l);
  NPB_UNROLL
  for (int column = 0; column < 5; ++column) {
    const five<T> kept = line.kept_column(l, column);
    NPB_UNROLL
    for (int row = 0; row < 5; ++row) x[row] = fma(-kept[row], above[column], x[row]);
  }
  return x;
}

}  // namespace detail

/// Solves the system of one line (or of a pack of lines) in direction D on a line of n points. A Line is the
/// storage of a line; l = 1..n-2:
///   using number = T;
///   point<T> state(int l);                                  at the start of the step
///   five<T> right_hand_side(int l);
///   void keep_column(int l, int column, const five<T>&);    of C*, on the way up
///   void keep_values(int l, const five<T>&);                r*
///   five<T> kept_column(int l, int column); five<T> kept_values(int l);   on the way down
///   void finish(int l, const five<T>& x);                   the solution at l, in descending order
template <int D, class Line, class T = typename std::remove_reference_t<Line>::number>
NPB_HD void solve_line(const constants& c, int n, Line&& line) {
  const direction_constants& k = c.d[D];
  detail::eliminated<T> e =
      detail::first_row(detail::blocks_of<D, T>{k, line.state(1)}, line.right_hand_side(1));
  for (int l = 2; l <= n - 2; ++l) {
    line.keep_values(l - 1, e.r);
    e = detail::couple_row<D>(k, line, l, e);
    detail::eliminate_row(e);
  }
  five<T> above = e.r;
  line.finish(n - 2, above);
  for (int l = n - 3; l >= 1; --l) {
    above = detail::solution_below<T>(line, l, above);
    line.finish(l, above);
  }
}

}  // namespace npb::bt
