#pragma once
/// The block-tridiagonal solver of a line of BT, wherever the line is stored. SPEC.md §10.

#include "bt_physics.hpp"

#include <type_traits>

namespace npb::bt {

namespace detail {

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
