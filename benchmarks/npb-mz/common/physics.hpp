#pragma once
/// The physics of one point, once for all benchmarks, processors and number types. SPEC.md §4 to §6.

#include "constants.hpp"
#include "number.hpp"

#include <cstdint>

namespace npb {

/// The exact solution U(xi, eta, zeta), SPEC.md §4.
YOKE_HD inline five<double> exact_solution(double xi, double eta, double zeta) {
  constexpr double table[5][13] = {{2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
                                   {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
                                   {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
                                   {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
                                   {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2}};
  const double x[3] = {xi, eta, zeta};
  five<double> value{};
  for (int m = 0; m < 5; ++m) {
    value[m] = table[m][0];
    for (int d = 0; d < 3; ++d) {
      double sum = table[m][10 + d];
      for (int power = 2; power >= 0; --power) sum = fma(sum, x[d], table[m][1 + 3 * power + d]);
      value[m] = fma(sum, x[d], value[m]);
    }
  }
  return value;
}

/// The start, far from the exact solution: interpolants between opposite faces, multiplied. SPEC.md §6.
YOKE_HD inline five<double> blended_start(double xi, double eta, double zeta) {
  const five<double> west = exact_solution(0, eta, zeta), east = exact_solution(1, eta, zeta);
  const five<double> south = exact_solution(xi, 0, zeta), north = exact_solution(xi, 1, zeta);
  const five<double> low = exact_solution(xi, eta, 0), high = exact_solution(xi, eta, 1);
  five<double> value{};
  for (int m = 0; m < 5; ++m) {
    const double a = (1 - xi) * west[m] + xi * east[m];
    const double b = (1 - eta) * south[m] + eta * north[m];
    const double g = (1 - zeta) * low[m] + zeta * high[m];
    value[m] = a + b + g - a * b - a * g - b * g + a * b * g;
  }
  return value;
}

/// Values at one point that every formula needs, SPEC.md §0.
template <class T>
struct point {
  five<T> u;
  T rho_i;     ///< 1 / u1
  T v[3];      ///< velocity
  T q;         ///< kinetic energy per unit mass
  T pressure;  ///< c2 (u5 - Q)
  T heat;      ///< c15 e + (1 - c15) q: what the viscosity of energy has in all directions
};

template <class T>
NPB_HD T kinetic_energy(const T (&v)[3]) {
  return T(0.5) * fma(v[2], v[2], fma(v[1], v[1], v[0] * v[0]));
}

template <class T>
NPB_HD point<T> make_point(const five<T>& u, T rho_i) {
  point<T> p{u, rho_i, {u[1] * rho_i, u[2] * rho_i, u[3] * rho_i}, T(0.0), T(0.0), T(0.0)};
  p.q = kinetic_energy(p.v);
  p.pressure = T(c2) * fma(-u[0], p.q, u[4]);
  p.heat = fma(T(1 - c15), p.q, T(c15) * (u[4] * rho_i));
  return p;
}
template <class T>
NPB_HD point<T> make_point(const five<T>& u) {
  return make_point(u, reciprocal(u[0]));
}

/// Weights of the points l-2 .. l+2 of a line.
template <class T>
struct line_stencil {
  T m2, m1, centre, p1, p2;
};

/// eps4 times row l of D4 on a line of n points, SPEC.md §5. Zero weights fall on the end points and beyond.
NPB_HD line_stencil<double> dissipation_stencil(int l, int n) {
  return {l >= 3 ? eps4 : 0, l >= 2 ? -4 * eps4 : 0, l == 1 || l == n - 2 ? 5 * eps4 : 6 * eps4,
          l <= n - 3 ? -4 * eps4 : 0, l <= n - 4 ? eps4 : 0};
}

/// The part of R that is linear in the components: delta t1 D2 - eps4 D4.
NPB_HD line_stencil<double> linear_stencil(const direction_constants& d, int l, int n) {
  const line_stencil<double> s = dissipation_stencil(l, n);
  return {-s.m2, d.diffusion - s.m1, -2 * d.diffusion - s.centre, d.diffusion - s.p1, -s.p2};
}

namespace detail {

/// The viscosity of energy in direction d is kappa times the second difference of this.
template <int D, class T>
NPB_HD T viscous_energy(const point<T>& p) {
  return fma(p.v[D] * T(1.0 / 6.0), p.v[D], p.heat);
}

/// F^d, the convective flux.
template <int D, class T>
NPB_HD five<T> flux(const point<T>& p) {
  const T vn = p.v[D];
  five<T> f{{p.u[1 + D], p.u[1] * vn, p.u[2] * vn, p.u[3] * vn, (p.u[4] + p.pressure) * vn}};
  f[1 + D] = fma(p.u[1 + D], vn, p.pressure);
  return f;
}

/// What the point itself contributes; `linear` is the sum of the three stencils' centre weights.
template <class T>
NPB_HD five<T> centre_terms(const constants& c, const point<T>& p, T linear) {
  five<T> r{};
  for (int m = 0; m < 5; ++m) r[m] = p.u[m] * linear;
  for (int m = 0; m < 3; ++m) r[1 + m] = fma(p.v[m], T(c.d[m].viscosity_at_centre), r[1 + m]);
  r[4] = fma(viscous_energy<0>(p), T(c.d[0].conduction_at_centre), r[4]);
  r[4] = fma(viscous_energy<1>(p), T(c.d[1].conduction_at_centre), r[4]);
  r[4] = fma(viscous_energy<2>(p), T(c.d[2].conduction_at_centre), r[4]);
  return r;
}

/// Adds what the four neighbours in direction d contribute. Sums and differences come before the products:
/// CPUs add beside their multipliers.
template <int D, class T, class Field>
NPB_HD void add_direction(const direction_constants& k, const line_stencil<T>& s, const Field& w,
                          five<T>& r) {
  const five<T> far_below = w.template at<D>(-2), far_above = w.template at<D>(2);
  for (int m = 0; m < 5; ++m) r[m] = fma(far_below[m], s.m2, fma(far_above[m], s.p2, r[m]));
  const point<T> below = w.template beside<D>(-1), above = w.template beside<D>(+1);
  for (int m = 0; m < 5; ++m) r[m] = fma(below.u[m], s.m1, fma(above.u[m], s.p1, r[m]));
  const five<T> flux_below = flux<D>(below), flux_above = flux<D>(above);
  for (int m = 0; m < 5; ++m) r[m] = fma(flux_above[m] - flux_below[m], T(-k.t2), r[m]);
  for (int m = 0; m < 3; ++m)
    r[1 + m] = fma(above.v[m] + below.v[m], T(m == D ? k.viscosity : k.kappa), r[1 + m]);
  r[4] = fma(viscous_energy<D>(above) + viscous_energy<D>(below), T(k.kappa), r[4]);
}

}  // namespace detail

/// R(w) at an interior point, SPEC.md §5. `centre` is the point itself, `s` the linear stencils of the three
/// directions there. A Field gives its neighbours along a direction:
///   five<T> at<D>(int offset)      components at -2 and 2; anything finite where the stencil's weight is 0
///   point<T> beside<D>(int offset)  everything at -1 and 1
template <class T, class Field>
NPB_HD five<T> spatial_operator(const constants& c, const line_stencil<T> (&s)[3], const point<T>& centre,
                                const Field& w) {
  five<T> r = detail::centre_terms(c, centre, (s[0].centre + s[1].centre) + s[2].centre);
  detail::add_direction<0>(c.d[0], s[0], w, r);
  detail::add_direction<1>(c.d[1], s[1], w, r);
  detail::add_direction<2>(c.d[2], s[2], w, r);
  return r;
}

/// The same at the point `index` of a zone with `extent` points in each direction.
template <class Field>
NPB_HD five<double> spatial_operator(const constants& c, const int (&index)[3], const int (&extent)[3],
                                     const point<double>& centre, const Field& w) {
  const line_stencil<double> s[3] = {linear_stencil(c.d[0], index[0], extent[0]),
                                     linear_stencil(c.d[1], index[1], extent[1]),
                                     linear_stencil(c.d[2], index[2], extent[2])};
  return spatial_operator(c, s, centre, w);
}

/// r = dt (forcing + R(u)), SPEC.md §9.1 and §10.1.
template <class T>
NPB_HD five<T> right_hand_side(const constants& c, const five<T>& forcing, const five<T>& operator_value) {
  five<T> r{};
  for (int m = 0; m < 5; ++m) r[m] = T(c.dt) * (forcing[m] + operator_value[m]);
  return r;
}

/// A Field over one array [5][nz][ny][nx] around the point (i, j, k).
class array_field {
 public:
  YOKE_HD array_field(const double* values, int nx, int ny, int nz, int i, int j, int k)
      : index_{i, j, k},
        extent_{nx, ny, nz},
        stride_{1, nx, static_cast<std::int64_t>(nx) * ny},
        component_{stride_[2] * nz},
        here_{values + i + j * stride_[1] + k * stride_[2]} {}

  YOKE_HD five<double> centre() const { return load(0); }
  template <int D>
  YOKE_HD five<double> at(int offset) const {
    const int l = index_[D] + offset;
    return load(l < 0 || l >= extent_[D] ? 0 : offset * stride_[D]);
  }
  template <int D>
  YOKE_HD point<double> beside(int offset) const {
    return make_point(load(offset * stride_[D]));
  }
  /// R at this point.
  YOKE_HD five<double> apply(const constants& c, const point<double>& centre) const {
    return spatial_operator(c, index_, extent_, centre, *this);
  }

 private:
  YOKE_HD five<double> load(std::int64_t offset) const {
    five<double> value{};
    for (int m = 0; m < 5; ++m) value[m] = here_[m * component_ + offset];
    return value;
  }

  int index_[3];
  int extent_[3];
  std::int64_t stride_[3];
  std::int64_t component_;
  const double* here_;
};

}  // namespace npb
