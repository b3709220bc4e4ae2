#pragma once
/// The pentadiagonal solver of a line of SP, wherever the line is stored. SPEC.md §9.3.

#include "sp_physics.hpp"

#include <type_traits>
#include <utility>

namespace npb::sp {

namespace detail {

/// dissipation_stencil of the rows 3 <= l <= n - 4.
NPB_HD line_stencil<double> inner_dissipation() { return {eps4, -4 * eps4, 6 * eps4, -4 * eps4, eps4}; }

NPB_HD line_stencil<double> scaled(double dt, const line_stencil<double>& s) {
  return {dt * s.m2, dt * s.m1, dt * s.centre, dt * s.p1, dt * s.p2};
}

/// The way up a line of n points, row after row.
template <class Systems, class T, class Line>
struct elimination {
  const direction_constants& k;
  int n;
  Line& line;
  history<T, Systems> h;
  window<T, Systems> w;

  NPB_HD void row(int l, const line_stencil<double>& s) {
    w.after = {};
    if (l < n - 2) w.after = line.terms_at(l + 1);
    eliminate_row<Systems, T>(k, s, w, line.right_hand_side(l), h);
    line.keep(l, h.one, h.r_one);
    w.before = w.here;
    w.here = w.after;
  }
  /// All rows but two at either end have the same stencil.
  NPB_HD void run(double dt) {
    w.here = line.terms_at(1);
    int l = 1;
    for (; l <= 2 && l <= n - 2; ++l) row(l, scaled(dt, dissipation_stencil(l, n)));
    const line_stencil<double> inner = scaled(dt, inner_dissipation());
    for (; l <= n - 4; ++l) row(l, inner);
    for (; l <= n - 2; ++l) row(l, scaled(dt, dissipation_stencil(l, n)));
  }
};

template <class Systems, class T, class Line>
NPB_HD void substitute(int n, const unknowns_of<T, Systems>& last, Line& line) {
  unknowns_of<T, Systems> one = last, two{};
  line.finish(n - 2, one);
  for (int l = n - 3; l >= 1; --l) {
    const eliminated<T, Systems::matrices> row = line.kept_rows(l);
    unknowns_of<T, Systems> x = line.kept_values(l);
    for (int m = 0; m < Systems::unknowns; ++m) {
      const int matrix = matrix_of<Systems>(m);
      x[m] = fma(-row.e[matrix], two[m], fma(-row.d[matrix], one[m], x[m]));
    }
    line.finish(l, x);
    two = one;
    one = x;
  }
}

}  // namespace detail

// clang-format off
/// Solves systems of one line (or of a pack of lines) in direction D, 9.3, on a line of n points. A Line is the storage
/// of a line, with l = 1..n-2 and M = systems::matrices:
///
///   using number = T;
///   using systems = all_systems;                                             or base_systems, sound_system
///
/// The way up, in ascending order of l; terms_at is one row ahead of the others:
///   row_terms<T, M> terms_at(int l);                                         of the state at the start of the step
///   unknowns_of<T, systems> right_hand_side(int l);
///   void keep(int l, const eliminated<T, M>&, const unknowns_of<T, systems>&);
///
///   void turn();                                                             once, between the two ways
///
/// The way down, in descending order; l = n-2 is finished with what was kept last, and not asked for:
///   eliminated<T, M> kept_rows(int l);
///   unknowns_of<T, systems> kept_values(int l);
///   void finish(int l, const unknowns_of<T, systems>& x);                    x: the solution at l
// clang-format on
template <int D, class Line>
NPB_HD void solve_systems(const constants& c, int n, Line&& line) {
  using own = std::remove_reference_t<Line>;
  using T = typename own::number;
  using systems = typename own::systems;
  detail::elimination<systems, T, own> up{c.d[D], n, line, {}, {}};
  up.run(c.dt);
  line.turn();
  detail::substitute<systems, T>(n, up.h.r_one, line);
}

/// Solves the five systems of a line whose storage gives, instead of systems, terms_at and turn,
///   wave<T> wave_at(int l);
/// and which takes and gives five<T> and eliminated<T>.
template <int D, class Line>
NPB_HD void solve_line(const constants& c, int n, Line&& line) {
  struct of_all : std::remove_reference_t<Line> {
    using systems = all_systems;
    const direction_constants& k;
    NPB_HD auto terms_at(int l) const { return terms_of(k, this->wave_at(l)); }
    NPB_HD void turn() const {}
  };
  solve_systems<D>(c, n, of_all{std::forward<Line>(line), c.d[D]});
}

}  // namespace npb::sp
