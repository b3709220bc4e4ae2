#pragma once
/// What BT does at a point: the blocks of its systems, and a row of them, once for all number types. SPEC.md
/// §10.

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

}  // namespace detail

}  // namespace npb::bt
