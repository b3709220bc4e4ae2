#pragma once
/// What LU does at one point, SPEC.md §11. The blocks are never formed: a block times a vector costs less
/// than the block.

#include "../common/physics.hpp"

namespace npb::lu {

inline constexpr double omega = 1.2;

/// rsd = R(u) - frct, SPEC.md §11.1.
template <class T>
NPB_HD five<T> residual(const five<T>& r, const five<T>& forcing) {
  five<T> result{};
  for (int m = 0; m < 5; ++m) result[m] = r[m] - forcing[m];
  return result;
}

/// Constants of the sweeps, as the formulas take them. Trivially copyable: kernels take it as an argument.
struct sweep_constants {
  double dt;
  double diagonal;  ///< of Dg without its viscous part
  double inverse;   ///< 1 / diagonal
  /// What N adds to the diagonal of rows 2 to 4, times u1; that of row 5; the difference of both.
  double viscous[3];
  double viscous_energy;
  double friction[3];
  struct direction {
    double flow;              ///< dt t2
    double diffusion;         ///< dt t1 delta
    double viscosity;         ///< dt t1 c34
    double viscosity_normal;  ///< of the velocity along the direction: 4/3 of it
    double viscosity_third;
    double conduction;  ///< dt t1 c1345
    double friction;    ///< dt t1 (c34 - c1345)
  } d[3];

  explicit sweep_constants(const constants& c) : dt{c.dt} {
    double sum = 0, diffusions = 0;
    for (int n = 0; n < 3; ++n) {
      const double t1 = c.d[n].dt_t1;
      sum += t1;
      diffusions += t1 * c.d[n].delta;
      d[n] = {c.d[n].dt_t2,   t1 * c.d[n].delta, t1 * c34,          t1 * c34 * (4.0 / 3.0),
              t1 * (c34 / 3), t1 * c1345,        t1 * (c34 - c1345)};
    }
    diagonal = 1 + 2 * diffusions;
    inverse = 1 / diagonal;
    viscous_energy = 2 * c1345 * sum;
    for (int n = 0; n < 3; ++n) {
      viscous[n] = 2 * c34 * (sum + c.d[n].dt_t1 / 3);
      friction[n] = viscous_energy - viscous[n];
    }
  }
};

/// Values at one point that its blocks are made of.
template <class T>
struct block_point {
  T v[3];
  T q;
  T e;               ///< u5 / u1
  T enthalpy;        ///< c1 e - c2 q
  T rho_i;           ///< 1 / u1
  T inverse[3];      ///< of Dg's diagonal in rows 2 to 4, divided by u1
  T inverse_energy;  ///< the same of row 5
};

template <class T>
NPB_HD block_point<T> make_block_point(const sweep_constants& k, const five<T>& u) {
  // Five reciprocals for one division: of the products, then each is what the others leave over.
  const T x = fma(u[0], T(k.diagonal), T(k.viscous[0])), y = fma(u[0], T(k.diagonal), T(k.viscous[1]));
  const T z = fma(u[0], T(k.diagonal), T(k.viscous[2])), h = fma(u[0], T(k.diagonal), T(k.viscous_energy));
  const T xy = x * y, zh = z * h, all = xy * zh;
  const T over_all = T(1.0) / (all * u[0]);
  const T rest = over_all * u[0], over_xy = rest * zh, over_zh = rest * xy;
  block_point<T> p{};
  p.rho_i = over_all * all;
  p.inverse[0] = over_xy * y;
  p.inverse[1] = over_xy * x;
  p.inverse[2] = over_zh * h;
  p.inverse_energy = over_zh * z;
  for (int m = 0; m < 3; ++m) p.v[m] = u[1 + m] * p.rho_i;
  p.q = kinetic_energy(p.v);
  p.e = u[4] * p.rho_i;
  p.enthalpy = fma(T(c1), p.e, T(-c2) * p.q);
  return p;
}

/// Dg^{-1} r. Row 1 of Dg is diagonal, rows 2 to 4 are but for column 1, row 5 is full.
template <class T>
NPB_HD five<T> solve_diagonal(const sweep_constants& k, const five<T>& u, const block_point<T>& p,
                              const five<T>& r) {
  five<T> x{};
  x[0] = r[0] * T(k.inverse);
  T energy = T(k.viscous_energy) * p.e * x[0];
  for (int m = 0; m < 3; ++m) {
    const T momentum = p.v[m] * x[0];
    x[1 + m] = fma(u[0], r[1 + m], T(k.viscous[m]) * momentum) * p.inverse[m];
    energy = fma(T(k.friction[m]) * p.v[m], x[1 + m] - momentum, energy);
  }
  x[4] = fma(u[0], r[4], energy) * p.inverse_energy;
  return x;
}

/// What a vector at a point contributes to blocks of all directions.
template <class T>
struct disturbance {
  T relative[3];  ///< x_m - V_m x_1
  T heat;         ///< (x_5 - e x_1) / u1
  T friction;     ///< the sum of V_m (x_m - V_m x_1) / u1
  T pressure;     ///< c2 (q x_1 - sum of V_m x_m + x_5)
  T transported;  ///< x_5 + pressure
};

template <class T>
NPB_HD disturbance<T> make_disturbance(const block_point<T>& p, const five<T>& x) {
  disturbance<T> s{};
  T pressure = fma(p.q, x[0], x[4]);
  T friction = T(0.0);
  for (int m = 0; m < 3; ++m) {
    s.relative[m] = fma(-p.v[m], x[0], x[1 + m]);
    pressure = fma(-p.v[m], x[1 + m], pressure);
    friction = m == 0 ? p.v[0] * s.relative[0] : fma(p.v[m], s.relative[m], friction);
  }
  s.pressure = T(c2) * pressure;
  s.transported = x[4] + s.pressure;
  s.friction = p.rho_i * friction;
  s.heat = p.rho_i * fma(-p.e, x[0], x[4]);
  return s;
}

enum class sweep { lower, upper };

/// L_d x (lower) or P_d x (upper) of the point, SPEC.md §11.2.
template <sweep S, int D, class T>
NPB_HD five<T> block_times(const sweep_constants& k, const block_point<T>& p, const disturbance<T>& s,
                           const five<T>& x) {
  const sweep_constants::direction& d = k.d[D];
  const T flow = T(S == sweep::lower ? -d.flow : d.flow), diffusion = T(-d.diffusion);
  const T vn = p.v[D], xn = x[1 + D];
  five<T> y{};
  y[0] = fma(xn, flow, x[0] * diffusion);
  for (int m = 0; m < 3; ++m) {
    T flux = fma(p.v[m], xn, vn * s.relative[m]);
    if (m == D) flux = flux + s.pressure;
    const T viscosity = T(m == D ? -d.viscosity_normal : -d.viscosity);
    y[1 + m] = fma(flux, flow, fma(p.rho_i * s.relative[m], viscosity, x[1 + m] * diffusion));
  }
  const T work = fma(T(d.viscosity_third) * vn, p.rho_i * s.relative[D],
                     fma(s.friction, T(d.friction), s.heat * T(d.conduction)));
  y[4] = fma(fma(p.enthalpy, s.relative[D], vn * s.transported), flow, fma(x[4], diffusion, -work));
  return y;
}

/// What the three predecessors contribute, in one order everywhere.
template <class T>
NPB_HD five<T> sum_of(const five<T>& x, const five<T>& y, const five<T>& z) {
  five<T> sum{};
  for (int m = 0; m < 5; ++m) sum[m] = (x[m] + y[m]) + z[m];
  return sum;
}

/// (a) and (b) at one point: `scale` is dt, or 0 in lanes that are no point.
template <class T>
NPB_HD five<T> lower_value(const sweep_constants& k, const five<T>& u, const block_point<T>& p,
                           const five<T>& rsd, T scale, const five<T>& sum) {
  five<T> r{};
  for (int m = 0; m < 5; ++m) r[m] = fma(sum[m], T(-omega), rsd[m] * scale);
  return solve_diagonal(k, u, p, r);
}

/// (c) at one point.
template <class T>
NPB_HD five<T> upper_value(const sweep_constants& k, const five<T>& u, const block_point<T>& p,
                           const five<T>& v, const five<T>& sum) {
  five<T> r{};
  for (int m = 0; m < 5; ++m) r[m] = sum[m] * T(-omega);
  const five<T> change = solve_diagonal(k, u, p, r);
  five<T> x{};
  for (int m = 0; m < 5; ++m) x[m] = v[m] + change[m];
  return x;
}

/// (d) at one point.
template <class T>
NPB_HD five<T> updated(const five<T>& u, const five<T>& v) {
  five<T> x{};
  for (int m = 0; m < 5; ++m) x[m] = fma(v[m], T(1 / (omega * (2 - omega))), u[m]);
  return x;
}

}  // namespace npb::lu
