#pragma once
/// The point-wise transformations and the pentadiagonal line solver of SP, once for all number types.
/// SPEC.md §9.

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
  const T t1 = T(c2) / (a * a) * (fma(p.q, r[0], r[4]) - momentum);
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
  const T t1 = b_u1 / a * (r[3] + r[4]);
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

/// D* and E* of a row of the base, plus and minus matrices after elimination.
template <class T>
struct eliminated {
  T d[3];
  T e[3];
};

namespace detail {

/// What a point contributes to the rows before and after it.
template <class T>
struct row_terms {
  T convection;  ///< dt t2 v
  T diffusion;   ///< dt t1 sigma
  T sound;       ///< dt t2 a
};

/// For positive density sigma is delta + c15 c34 / u1.
template <class T>
NPB_HD row_terms<T> terms_of(const direction_constants& k, const wave<T>& w) {
  return {T(k.dt_t2) * w.v, fma(w.rho_i, T(k.dt_t1 * c1345), T(k.dt_t1 * k.delta)), T(k.dt_t2) * w.a};
}

/// The last two rows in elimination order.
template <class T>
struct history {
  eliminated<T> one, two;
  five<T> r_one, r_two;
};

/// Eliminates one row of all three matrices and of the five right-hand sides; the result moves into `h`.
template <class T>
NPB_HD void eliminate_row(const line_stencil<double>& s, const row_terms<T>& before, const row_terms<T>& here,
                          const row_terms<T>& after, const five<T>& r, history<T>& h) {
  const T lower = T(s.m1) - (before.convection + before.diffusion);
  const T diagonal = fma(T(2.0), here.diffusion, T(1.0 + s.centre));
  const T upper = T(s.p1) + (after.convection - after.diffusion);
  eliminated<T> now;
  five<T> r_now;
  for (int matrix = 0; matrix < 3; ++matrix) {
    const T b0 = matrix == 0 ? lower : matrix == 1 ? lower - before.sound : lower + before.sound;
    const T d0 = matrix == 0 ? upper : matrix == 1 ? upper + after.sound : upper - after.sound;
    const T b = fma(T(-s.m2), h.two.d[matrix], b0);
    const T pivot = fma(-b, h.one.d[matrix], fma(T(-s.m2), h.two.e[matrix], diagonal));
    const T inverse = T(1.0) / pivot;
    now.d[matrix] = fma(-b, h.one.e[matrix], d0) * inverse;
    now.e[matrix] = T(s.p2) * inverse;
    const int first = matrix == 0 ? 0 : matrix + 2;
    const int last = matrix == 0 ? 3 : matrix + 3;
    for (int m = first; m < last; ++m)
      r_now[m] = fma(-b, h.r_one[m], fma(T(-s.m2), h.r_two[m], r[m])) * inverse;
  }
  h.two = h.one;
  h.r_two = h.r_one;
  h.one = now;
  h.r_one = r_now;
}

}  // namespace detail

/// Solves the five systems of one line (or of a pack of lines) in direction d, 9.3, on a line of n points.
/// A Line is the storage of a line; l = 1..n-2:
///   using number = T;
///   wave<T> wave_at(int l);                                   of the state at the start of the step
///   five<T> right_hand_side(int l);
///   void keep(int l, const eliminated<T>&, const five<T>&);   on the way up
///   eliminated<T> kept_rows(int l); five<T> kept_values(int l);   on the way down
///   void finish(int l, const five<T>& x);                     the solution at l, in descending order
template <int D, class Line, class T = typename std::remove_reference_t<Line>::number>
NPB_HD void solve_line(const constants& c, int n, Line&& line) {
  const direction_constants& k = c.d[D];
  const double dt = c.dt;
  detail::history<T> h{};
  detail::row_terms<T> before{}, here = detail::terms_of(k, line.wave_at(1));
  for (int l = 1; l <= n - 2; ++l) {
    detail::row_terms<T> after{};
    if (l < n - 2) after = detail::terms_of(k, line.wave_at(l + 1));
    const line_stencil<double> s = dissipation_stencil(l, n);
    detail::eliminate_row<T>({dt * s.m2, dt * s.m1, dt * s.centre, dt * s.p1, dt * s.p2}, before, here, after,
                             line.right_hand_side(l), h);
    line.keep(l, h.one, h.r_one);
    before = here;
    here = after;
  }
  five<T> one = h.r_one, two{};
  line.finish(n - 2, one);
  for (int l = n - 3; l >= 1; --l) {
    const eliminated<T> row = line.kept_rows(l);
    five<T> x = line.kept_values(l);
    for (int m = 0; m < 5; ++m) {
      const int matrix = m < 3 ? 0 : m - 2;
      x[m] = fma(-row.e[matrix], two[m], fma(-row.d[matrix], one[m], x[m]));
    }
    line.finish(l, x);
    two = one;
    one = x;
  }
}

}  // namespace npb::sp
