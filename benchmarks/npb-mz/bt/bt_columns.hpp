#pragma once
/// Packs of the solver's blocks in memory. In an unnamed namespace: see pack.hpp.

#include "../common/pack_rows.hpp"
#include "bt_physics.hpp"

namespace npb::bt {
namespace {

/// A block is 25 packs, one column after the other.
template <class T>
NPB_HD five<T> load_column(const double* block, int column) {
  return load_five<T>(block + 5 * T::width * column, T::width);
}
template <class T>
NPB_HD void store_column(double* block, int column, const five<T>& x) {
  store_five(block + 5 * T::width * column, T::width, x);
}

/// What the sweeps read of a point, from 1/u1, the velocity and u5.
template <class T>
NPB_HD point<T> sweep_point(const five<T>& s) {
  point<T> p{{}, s[0], {s[1], s[2], s[3]}, {}, {}, {}};
  p.u[4] = s[4];
  p.q = kinetic_energy(p.v);
  return p;
}

}  // namespace
}  // namespace npb::bt
