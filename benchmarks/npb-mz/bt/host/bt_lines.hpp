#pragma once
/// The second phase of a host step: z sweep and update. SPEC.md §10.2, §10.3. In an unnamed namespace: see
/// pack.hpp.

#include "../../common/z_lines.hpp"
#include "../bt_line_solve.hpp"
#include "bt_columns.hpp"

namespace npb::bt {
namespace {

/// Staged: u, 1/u1. Kept: r*, C*.
template <class P>
struct z_line {
  using number = P;
  static constexpr int rho_i_at = n_components, values = rho_i_at + 1;
  static constexpr int kept_packs = r_values + block_values;
  z_lines_place<P, values, kept_packs> place;

  /// Of a point with state u, behind u itself.
  NPB_HD static void stage(const five<P>& u, double* to, int) { (P(1.0) / u[0]).store(to); }
  NPB_HD void solve(const constants& c, int n) const { solve_line<2>(c, n, z_line{*this}); }
  NPB_HD point<P> state(int l) const { return make_point(place.components(l), place.staged(l, rho_i_at)); }
  NPB_HD five<P> right_hand_side(int l) const { return place.right_hand_side(l); }
  NPB_HD void keep_column(int l, int column, const five<P>& x) const {
    store_column(place.kept(l) + r_values * P::width, column, x);
  }
  NPB_HD void keep_values(int l, const five<P>& x) const { store_five(place.kept(l), P::width, x); }
  NPB_HD five<P> kept_column(int l, int column) const {
    return load_column<P>(place.kept(l) + r_values * P::width, column);
  }
  NPB_HD five<P> kept_values(int l) const { return load_five<P>(place.kept(l), P::width); }
  NPB_HD void finish(int l, const five<P>& x) const { place.update(l, place.components(l), x); }
};

}  // namespace
}  // namespace npb::bt
