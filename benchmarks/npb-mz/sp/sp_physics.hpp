#pragma once
/// What SP does at a point: its transformations, and a row of its pentadiagonal systems, once for all number
/// types. SPEC.md §9.

#include "../common/physics.hpp"

#include <type_traits>

namespace npb::sp {

/// a = sqrt(c1 c2 (u5 - Q) / u1)
template <class T>
NPB_HD T sound_speed(const point<T>& p) {
  return sqrt(T(c1) * p.pressure * p.rho_i);
}

/// 9.2; a is the speed of sound at p.
template <class T>
NPB_HD five<T> txinvr(const point<T>& p, T a, const five<T>& r) {
  const T momentum = fma(p.v[2], r[3], fma(p.v[1], r[2], p.v[0] * r[1]));
  const T t1 = quotient(T(c2), a * a) * (fma(p.q, r[0], r[4]) - momentum);
  const T b_rho = T(root_half) * p.rho_i;
  const T t2 = b_rho * fma(p.v[0], r[0], -r[1]);
  const T t3 = b_rho * a * t1;
  return {
      {r[0] - t1, -p.rho_i * fma(p.v[2], r[0], -r[3]), p.rho_i * fma(p.v[1], r[0], -r[2]), t3 - t2, t3 + t2}};
}

/// 9.4
template <class T>
NPB_HD five<T> ninvr(const five<T>& r) {
  const T b = T(root_half);
  const T half = T(0.5) * (r[3] + r[4]);
  return {{-r[1], r[0], b * (r[3] - r[4]), fma(-b, r[2], half), fma(b, r[2], half)}};
}

/// 9.6
template <class T>
NPB_HD five<T> pinvr(const five<T>& r) {
  const T b = T(root_half);
  const T half = T(0.5) * (r[3] + r[4]);
  return {{b * (r[3] - r[4]), -r[2], r[1], fma(-b, r[0], half), fma(b, r[0], half)}};
}

/// 9.8; p and a are from the start of the step.
template <class T>
NPB_HD five<T> tzetar(const point<T>& p, T a, const five<T>& r) {
  const T b_u1 = T(root_half) * p.u[0];
  const T t1 = quotient(b_u1, a) * (r[3] + r[4]);
  const T t2 = r[2] + t1;
  const T t3 = b_u1 * (r[3] - r[4]);
  const T rotation = fma(p.v[1], r[0], -(p.v[0] * r[1]));
  const T energy = fma(T(2.5) * (a * a), t1, fma(p.v[2], t3, p.q * t2));
  return {{t2, fma(p.v[0], t2, -(p.u[0] * r[1])), fma(p.v[1], t2, p.u[0] * r[0]), fma(p.v[2], t2, t3),
           fma(p.u[0], rotation, energy)}};
}

/// What the matrices of a sweep need of a point.
template <class T>
struct wave {
  T rho_i;
  T v;  ///< velocity in the direction of the sweep
  T a;  ///< speed of sound
};

/// The systems of a line that one caller solves: all five, or those of one of the three matrices. Matrices
/// and unknowns keep their order: base (r1, r2, r3), plus (r4), minus (r5).
struct all_systems {
  static constexpr int matrices = 3, unknowns = 5;
};
struct base_systems {
  static constexpr int matrices = 1, unknowns = 3;
};
struct sound_system {
  static constexpr int matrices = 1, unknowns = 1;
};
template <class Systems>
constexpr int matrix_of(int unknown) {
  return Systems::matrices == 1 || unknown < 3 ? 0 : unknown - 2;
}

template <class T, int N>
struct unknowns {
  T c[N];
  NPB_HD T& operator[](int m) { return c[m]; }
  NPB_HD const T& operator[](int m) const { return c[m]; }
};
template <class T, class Systems>
using unknowns_of = std::conditional_t<Systems::unknowns == 5, five<T>, unknowns<T, Systems::unknowns>>;

/// What a point contributes to its row and to those before and after it.
template <class T, int Matrices = 3>
struct row_terms {
  T speed[Matrices];  ///< of the waves: v, v + a, v - a
  T diffusion;        ///< dt t1 sigma
};

/// For positive density sigma is delta + c15 c34 / u1.
template <class T>
NPB_HD row_terms<T> terms_of(const direction_constants& k, const wave<T>& w) {
  return {{w.v, w.v + w.a, w.v - w.a}, fma(w.rho_i, T(k.dt_t1 * c1345), T(k.dt_t1 * k.delta))};
}

/// D* and E* of a row after elimination.
template <class T, int Matrices = 3>
struct eliminated {
  T d[Matrices];
  T e[Matrices];
};

namespace detail {

/// The last two rows in elimination order.
template <class T, class Systems>
struct history {
  eliminated<T, Systems::matrices> one, two;
  unknowns_of<T, Systems> r_one, r_two;
};

/// The terms of a point and of its neighbours on the line.
template <class T, class Systems>
struct window {
  row_terms<T, Systems::matrices> before, here, after;
};

/// Eliminates one row of the matrices and right-hand sides; the result moves into `h`. `s` has the factor dt.
template <class Systems, class T>
NPB_HD void eliminate_row(const direction_constants& k, const line_stencil<double>& s,
                          const window<T, Systems>& w, const unknowns_of<T, Systems>& r,
                          history<T, Systems>& h) {
  const T below = T(s.m1) - w.before.diffusion;
  const T diagonal = fma(T(2.0), w.here.diffusion, T(1.0 + s.centre));
  const T above = T(s.p1) - w.after.diffusion;
  eliminated<T, Systems::matrices> now;
  T b[Systems::matrices], inverse[Systems::matrices];
  for (int m = 0; m < Systems::matrices; ++m) {
    const T lower = fma(T(-k.dt_t2), w.before.speed[m], below);
    const T upper = fma(T(k.dt_t2), w.after.speed[m], above);
    b[m] = fma(T(-s.m2), h.two.d[m], lower);
    const T pivot = fma(-b[m], h.one.d[m], fma(T(-s.m2), h.two.e[m], diagonal));
    inverse[m] = reciprocal(pivot);
    now.d[m] = fma(-b[m], h.one.e[m], upper) * inverse[m];
    now.e[m] = T(s.p2) * inverse[m];
  }
  unknowns_of<T, Systems> r_now;
  for (int m = 0; m < Systems::unknowns; ++m) {
    const int matrix = matrix_of<Systems>(m);
    r_now[m] = fma(-b[matrix], h.r_one[m], fma(T(-s.m2), h.r_two[m], r[m])) * inverse[matrix];
  }
  h.two = h.one;
  h.r_two = h.r_one;
  h.one = now;
  h.r_one = r_now;
}

}  // namespace detail

}  // namespace npb::sp
