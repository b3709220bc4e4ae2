#pragma once
/// The 5x5 blocks of BT's implicit side, SPEC.md §10 (LU has the same ones, but never forms them), and
/// elimination with them. Rows and columns count from 0. What is always 0 is zero in the blocks, and skipped
/// where a function knows the direction D.

#include "physics.hpp"

namespace npb {

template <class T>
struct block {
  T a[5][5];
};

/// Entries of F^d and of N^d that may differ from 0.
YOKE_HD constexpr bool in_convective_jacobian(int d, int row, int column) {
  if (row == 0) return column == 1 + d;
  return row == 1 + d || row == 4 || column == 0 || column == row || column == 1 + d;
}
YOKE_HD constexpr bool in_viscous_jacobian(int row, int column) {
  return row == 4 || (row > 0 && (column == 0 || column == row));
}
/// Entries of a sum of F^d, N^d and I, as it couples a point of a line with its neighbours.
YOKE_HD constexpr bool in_coupling(int d, int row, int column) {
  return row == column || in_convective_jacobian(d, row, column);
}

/// `scale` F^d at a point.
template <int D, class T>
NPB_HD block<T> convective_jacobian(const point<T>& p, double scale = 1) {
  constexpr int n = 1 + D;
  const T vn = p.v[D], scaled_vn = T(scale) * vn, c1_e = T(c1) * (p.u[4] * p.rho_i);
  block<T> f{};
  f.a[0][n] = T(scale);
  NPB_UNROLL
  for (int m = 1; m < 4; ++m) {
    const T v = p.v[m - 1];
    f.a[m][0] = -(v * scaled_vn);
    f.a[m][m] = scaled_vn;
    f.a[m][n] = T(scale) * v;
    f.a[n][m] = T(-c2 * scale) * v;
    f.a[4][m] = f.a[n][m] * vn;
  }
  f.a[n][0] = fma(T(c2 * scale), p.q, -(vn * scaled_vn));
  f.a[n][n] = T(2 - c2) * scaled_vn;
  f.a[n][4] = T(c2 * scale);
  f.a[4][0] = fma(T(2 * c2), p.q, -c1_e) * scaled_vn;
  f.a[4][n] = T(scale) * fma(T(-c2), fma(vn, vn, p.q), c1_e);
  f.a[4][4] = T(c1) * scaled_vn;
  return f;
}

/// `scale` N^d at a point.
template <int D, class T>
NPB_HD block<T> viscous_jacobian(const point<T>& p, double scale = 1) {
  const T scaled_rho_i = T(scale) * p.rho_i;
  block<T> v{};
  T energy = T(c1345) * (p.u[4] * p.rho_i);
  NPB_UNROLL
  for (int m = 1; m < 4; ++m) {
    const double momentum = m == 1 + D ? c34 * (4.0 / 3.0) : c34;
    v.a[m][m] = T(momentum) * scaled_rho_i;
    v.a[m][0] = -(v.a[m][m] * p.v[m - 1]);
    const T weighted = T(momentum - c1345) * p.v[m - 1];
    v.a[4][m] = weighted * scaled_rho_i;
    energy = fma(weighted, p.v[m - 1], energy);
  }
  v.a[4][0] = -(energy * scaled_rho_i);
  v.a[4][4] = T(c1345) * scaled_rho_i;
  return v;
}

/// r += a x for a block that couples neighbours in direction D.
template <int D, class T>
NPB_HD void add_coupling(five<T>& r, const block<T>& a, const five<T>& x) {
  NPB_UNROLL
  for (int column = 0; column < 5; ++column)
    for (int row = 0; row < 5; ++row)
      if (in_coupling(D, row, column)) r[row] = fma(a.a[row][column], x[column], r[row]);
}

template <class T>
NPB_HD void set_column(block<T>& b, int column, const five<T>& x) {
  NPB_UNROLL
  for (int row = 0; row < 5; ++row) b.a[row][column] = x[row];
}

/// Replaces m by its triangular factors, without pivoting: L below the diagonal (its own is 1), U above, and
/// the reciprocals of U's diagonal in between.
template <class T>
NPB_HD void factor(block<T>& m) {
  NPB_UNROLL
  for (int p = 0; p < 5; ++p) {
    m.a[p][p] = reciprocal(m.a[p][p]);
    NPB_UNROLL
    for (int row = p + 1; row < 5; ++row) {
      m.a[row][p] = m.a[row][p] * m.a[p][p];
      NPB_UNROLL
      for (int column = p + 1; column < 5; ++column)
        m.a[row][column] = fma(-m.a[row][p], m.a[p][column], m.a[row][column]);
    }
  }
}

/// x := m^-1 x for factors made by `factor`, where the components of x before `first` are 0.
template <class T>
NPB_HD void substitute(const block<T>& m, five<T>& x, int first = 0) {
  NPB_UNROLL
  for (int p = 0; p < 4; ++p)
    for (int row = p + 1; row < 5; ++row)
      if (p >= first) x[row] = fma(-m.a[row][p], x[p], x[row]);
  NPB_UNROLL
  for (int p = 4; p >= 0; --p) {
    x[p] = x[p] * m.a[p][p];
    NPB_UNROLL
    for (int row = 0; row < p; ++row) x[row] = fma(-m.a[row][p], x[p], x[row]);
  }
}

}  // namespace npb
