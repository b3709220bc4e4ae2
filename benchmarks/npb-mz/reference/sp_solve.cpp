// The pentadiagonal systems of SP, SPEC.md §9.3: matrices row by row, and their elimination.
#include "../sp/sp_physics.hpp"
#include "lines.hpp"
#include "sp.hpp"

#include <algorithm>

namespace npb::reference::sp {
namespace {

/// v, v + a and v - a, and dt t1 sigma, at each point of a line.
using terms_of_line = std::vector<npb::sp::row_terms<double>>;

template <int D>
terms_of_line terms_of(const constants& c, const line& of) {
  terms_of_line terms;
  for (const point<double>& p : of.state)
    terms.push_back(
        npb::sp::terms_of(c.d[D], npb::sp::wave<double>{p.rho_i, p.v[D], npb::sp::sound_speed(p)}));
  return terms;
}

/// Base for r1, r2 and r3, plus for r4, minus for r5.
enum matrix { base, plus, minus };
matrix matrix_of(int component) { return component < 3 ? base : component == 3 ? plus : minus; }

/// Coefficients of x_{l-2} .. x_{l+2} in a row.
struct row {
  double a, b, c, d, e;
};

/// Row l of one of the three matrices in direction d.
row row_of(const constants& c, int d, const terms_of_line& terms, matrix which, int l) {
  const auto [below, here, above] = std::array{terms[l - 1], terms[l], terms[l + 1]};
  const line_stencil<double> d4 = dissipation_stencil(l, static_cast<int>(terms.size()));
  return {.a = c.dt * d4.m2,
          .b = fma(-c.d[d].dt_t2, below.speed[which], c.dt * d4.m1 - below.diffusion),
          .c = fma(2.0, here.diffusion, 1.0 + c.dt * d4.centre),
          .d = fma(c.d[d].dt_t2, above.speed[which], c.dt * d4.p1 - above.diffusion),
          .e = c.dt * d4.p2};
}

/// One component of a line: D*, E* and r* for ascending l, then x in place of r* for descending l.
void solve_component(const constants& c, int d, const terms_of_line& terms, int m, line& of) {
  const int n = of.n();
  std::vector<double> d_star(of.r.size()), e_star(of.r.size());
  auto& x = of.r;
  for (int l = 1; l <= n - 2; ++l) {
    const int two = std::max(l - 2, 0);  // row 1 has no x_{l-2}: its coefficient is 0
    const row at = row_of(c, d, terms, matrix_of(m), l);
    const double b = fma(-at.a, d_star[two], at.b);
    const double inverse = reciprocal(fma(-b, d_star[l - 1], fma(-at.a, e_star[two], at.c)));
    d_star[l] = fma(-b, e_star[l - 1], at.d) * inverse;
    e_star[l] = at.e * inverse;
    x[l][m] = fma(-b, x[l - 1][m], fma(-at.a, x[two][m], x[l][m])) * inverse;
  }
  for (int l = n - 3; l >= 1; --l)
    x[l][m] = fma(-e_star[l], x[l + 2][m], fma(-d_star[l], x[l + 1][m], x[l][m]));
}

template <int D>
void solve(const adi_zone& z) {
  solve_each_line<D>(z, [&](line& of) {
    const terms_of_line terms = terms_of<D>(z.c, of);
    for (int m = 0; m < 5; ++m) solve_component(z.c, D, terms, m, of);
  });
}

}  // namespace

void x_solve(const adi_zone& z) { solve<0>(z); }
void y_solve(const adi_zone& z) { solve<1>(z); }
void z_solve(const adi_zone& z) { solve<2>(z); }

}  // namespace npb::reference::sp
