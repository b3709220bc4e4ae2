#pragma once
/// The matrices of SPEC.md §9 to §11, formed as they stand there; for tests, as formulas.hpp is.

#include "formulas.hpp"

namespace npb::formulas {

/// F^d as a matrix, SPEC.md §10.
inline matrix5 convective_matrix(int d, const vector5& u) {
  const values at{u};
  const auto n = static_cast<std::size_t>(d) + 1;
  const double vn = at.v[d];
  matrix5 f{};
  f[0][n] = 1;
  for (std::size_t m = 1; m < 4; ++m) {
    const double vm = at.v[m - 1];
    if (m != n) {
      f[m][0] = -vm * vn;
      f[m][m] = vn;
      f[m][n] = vm;
      f[n][m] = -c2 * vm;
      f[4][m] = -c2 * vm * vn;
    }
  }
  f[n][0] = -vn * vn + c2 * at.q;
  f[n][n] = (2 - c2) * vn;
  f[n][4] = c2;
  f[4][0] = (2 * c2 * at.q - c1 * at.e) * vn;
  f[4][n] = c1 * at.e - c2 * (at.q + vn * vn);
  f[4][4] = c1 * vn;
  return f;
}

/// N^d, SPEC.md §10.
inline matrix5 viscous_matrix(int d, const vector5& u) {
  const values at{u};
  matrix5 n{};
  double sum = 0;
  for (std::size_t m = 1; m < 4; ++m) {
    const double gm = g(d, static_cast<int>(m)), vm = at.v[m - 1];
    n[m][0] = -gm * c34 * vm / u[0];
    n[m][m] = gm * c34 / u[0];
    n[4][m] = (gm * c34 - c1345) * vm / u[0];
    sum += (gm * c34 - c1345) * vm * vm;
  }
  n[4][0] = -(sum + c1345 * at.e) / u[0];
  n[4][4] = c1345 / u[0];
  return n;
}

/// a F + b N + c I.
inline matrix5 combined(int d, const vector5& u, double a, double b, double c) {
  const matrix5 f = convective_matrix(d, u), n = viscous_matrix(d, u);
  matrix5 sum{};
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t column = 0; column < 5; ++column)
      sum[row][column] = a * f[row][column] + b * n[row][column] + (row == column ? c : 0);
  return sum;
}

/// sign dt t2 F - dt t1 (N + delta I) at a point: A_l of §10 and L_d of §11.2 with sign -1, C_l and P_d with
/// +1.
inline matrix5 neighbours_block(const grid& on, double dt, int d, double sign, const vector5& u) {
  const double dt_t1 = dt / (on.h[d] * on.h[d]), dt_t2 = dt / (2 * on.h[d]);
  return combined(d, u, sign * dt_t2, -dt_t1, -dt_t1 * delta[d]);
}
/// I + 2 dt t1 (N + delta I) at a point: B_l of §10.
inline matrix5 own_block(const grid& on, double dt, int d, const vector5& u) {
  const double twice = 2 * dt / (on.h[d] * on.h[d]);
  return combined(d, u, 0, twice, 1 + twice * delta[d]);
}
/// Dg of §11.2.
inline matrix5 diagonal_block(const grid& on, double dt, const vector5& u) {
  matrix5 sum{};
  for (int d = 0; d < 3; ++d) {
    const matrix5 own = own_block(on, dt, d, u);
    for (std::size_t row = 0; row < 5; ++row)
      for (std::size_t column = 0; column < 5; ++column) {
        const double identity = row == column && d > 0 ? 1 : 0;
        sum[row][column] += own[row][column] - identity;
      }
  }
  return sum;
}

/// The coefficients of x_{l-2} .. x_{l+2} in row l of one of SP's matrices, §9.3: base, plus or minus as
/// `sign` is 0, 1 or -1. Point l of the line is `at` in u.
inline std::array<double, 5> pentadiagonal_row(const grid& on, double dt, int d, int sign,
                                               const std::vector<double>& u, std::size_t at, int l) {
  const double dt_t1 = dt / (on.h[d] * on.h[d]), dt_t2 = dt / (2 * on.h[d]);
  const auto speed = [&](std::size_t where) {
    const values p{load(u, on, where)};
    return p.v[d] + sign * p.sound();
  };
  const auto sigma = [&](std::size_t where) {
    const double rho_i = 1 / u[where];
    return std::max(
        {delta[d] + 4.0 / 3.0 * c34 * rho_i, delta[d] + c15 * c34 * rho_i, delta[d] + c34 * rho_i, delta[d]});
  };
  const std::size_t below = at - on.stride(d), above = at + on.stride(d);
  std::array<double, 5> row = fourth_difference(l, on.n[d]);
  for (double& each : row) each *= dt * eps4;
  row[1] += -dt_t2 * speed(below) - dt_t1 * sigma(below);
  row[2] += 1 + 2 * dt_t1 * sigma(at);
  row[3] += dt_t2 * speed(above) - dt_t1 * sigma(above);
  return row;
}

inline vector5 times(const matrix5& a, const vector5& x) {
  vector5 y{};
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t column = 0; column < 5; ++column) y[row] += a[row][column] * x[column];
  return y;
}

}  // namespace npb::formulas
