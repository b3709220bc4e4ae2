#pragma once
/// The second phase of a host step: z sweep, tzetar and update. SPEC.md §9.7 to §9.9.
/// In an unnamed namespace: see pack.hpp.

#include "../../common/z_lines.hpp"
#include "../sp_line_solve.hpp"
#include "sp_rows.hpp"

namespace npb::sp {
namespace {

/// Staged: u, 1/u1, a. Kept: D* and E*, r*.
template <class P>
struct z_line {
  using number = P;
  static constexpr int rho_i_at = n_components, a_at = rho_i_at + 1, values = a_at + 1;
  static constexpr int kept_packs = row_values + r_values;
  z_lines_place<P, values, kept_packs> place;

  /// Of a point with state u, behind u itself.
  NPB_HD static void stage(const five<P>& u, double* to, int step) {
    const point<P> p = make_point(u);
    p.rho_i.store(to);
    sound_speed(p).store(to + step);
  }
  NPB_HD void solve(const constants& c, int n) const { solve_line<2>(c, n, z_line{*this}); }
  NPB_HD wave<P> wave_at(int l) const {
    const P rho_i = place.staged(l, rho_i_at);
    return {rho_i, place.staged(l, 3) * rho_i, place.staged(l, a_at)};
  }
  NPB_HD five<P> right_hand_side(int l) const { return place.right_hand_side(l); }
  NPB_HD void keep(int l, const eliminated<P>& row, const five<P>& x) const {
    store_rows(place.kept(l), row);
    store_five(place.kept(l) + row_values * P::width, P::width, x);
  }
  NPB_HD eliminated<P> kept_rows(int l) const { return load_rows<P>(place.kept(l)); }
  NPB_HD five<P> kept_values(int l) const {
    return load_five<P>(place.kept(l) + row_values * P::width, P::width);
  }
  NPB_HD void finish(int l, const five<P>& x) const {
    const point<P> p = make_point(place.components(l), place.staged(l, rho_i_at));
    place.update(l, p.u, tzetar(p, place.staged(l, a_at), x));
  }
};

}  // namespace
}  // namespace npb::sp
