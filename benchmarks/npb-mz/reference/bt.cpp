#include "bt.hpp"

#include "../common/jacobians.hpp"
#include "lines.hpp"

namespace npb::reference::bt {
namespace {

using matrix = block<double>;

/// By points of a line: A of the row after each, B of its own, C of the row before it.
struct lhs {
  std::vector<matrix> a, b, c;
};

/// dt t1 (N + delta I) at a point.
template <int D>
matrix diffusion_of(const direction_constants& k, const point<double>& p) {
  matrix of = viscous_jacobian<D>(p, k.dt_t1);
  for (int m = 0; m < 5; ++m) of.a[m][m] += k.dt_t1 * k.delta;
  return of;
}

/// The three formulas of §10 for a point.
template <int D>
void add_point(const direction_constants& k, const point<double>& p, lhs& to) {
  const matrix flow = convective_jacobian<D>(p, k.dt_t2), diffusion = diffusion_of<D>(k, p);
  matrix a{}, b{}, c{};
  for (int m = 0; m < 5; ++m)
    for (int n = 0; n < 5; ++n) {
      a.a[m][n] = -(flow.a[m][n] + diffusion.a[m][n]);
      b.a[m][n] = fma(2.0, diffusion.a[m][n], m == n ? 1.0 : 0.0);
      c.a[m][n] = flow.a[m][n] - diffusion.a[m][n];
    }
  to.a.push_back(a);
  to.b.push_back(b);
  to.c.push_back(c);
}

/// c := c - a b, and r := r - a x.
void matmul_sub(const matrix& a, const matrix& b, matrix& c) {
  for (int m = 0; m < 5; ++m)
    for (int n = 0; n < 5; ++n)
      for (int l = 0; l < 5; ++l) c.a[m][n] = fma(-a.a[m][l], b.a[l][n], c.a[m][n]);
}
void matvec_sub(const matrix& a, const five<double>& x, five<double>& r) {
  for (int m = 0; m < 5; ++m)
    for (int l = 0; l < 5; ++l) r[m] = fma(-a.a[m][l], x[l], r[m]);
}

/// c := b^-1 c and r := b^-1 r; b is left factored.
void binvcrhs(matrix& b, matrix& c, five<double>& r) {
  factor(b);
  for (int n = 0; n < 5; ++n) {
    five<double> column{{c.a[0][n], c.a[1][n], c.a[2][n], c.a[3][n], c.a[4][n]}};
    substitute(b, column);
    set_column(c, n, column);
  }
  substitute(b, r);
}

/// C* comes in place of C, r* and then x in place of r.
template <int D>
void solve_line(const constants& c, line& of) {
  lhs at;
  for (const point<double>& p : of.state) add_point<D>(c.d[D], p, at);
  // Row l takes A from the point before it and C from the one after it. C* of row 0 would be 0.
  std::vector<matrix> c_star(of.r.size());
  for (int l = 1; l <= of.n() - 2; ++l) {
    matmul_sub(at.a[l - 1], c_star[l - 1], at.b[l]);
    matvec_sub(at.a[l - 1], of.r[l - 1], of.r[l]);
    c_star[l] = at.c[l + 1];
    binvcrhs(at.b[l], c_star[l], of.r[l]);
  }
  for (int l = of.n() - 3; l >= 1; --l) matvec_sub(c_star[l], of.r[l + 1], of.r[l]);
}

template <int D>
void solve(const adi_zone& z) {
  solve_each_line<D>(z, [&](line& of) { solve_line<D>(z.c, of); });
}

}  // namespace

void x_solve(const adi_zone& z) { solve<0>(z); }
void y_solve(const adi_zone& z) { solve<1>(z); }
void z_solve(const adi_zone& z) { solve<2>(z); }

void adi(const adi_zone& z) {
  compute_rhs(z);
  x_solve(z);
  y_solve(z);
  z_solve(z);
  add(z);
}

}  // namespace npb::reference::bt
