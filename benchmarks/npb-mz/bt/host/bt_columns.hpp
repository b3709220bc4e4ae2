#pragma once
/// Packs of the solver's blocks in memory. In an unnamed namespace: see pack.hpp.

#include "../../common/pack_rows.hpp"
#include "../bt_physics.hpp"

namespace npb::bt {
namespace {

/// Numbers of a point on a line: of r, of what the sweeps read of its state, of C*.
constexpr int r_values = numbers_in<five<double>>;
constexpr int sweep_values = numbers_in<five<double>>;
constexpr int block_values = numbers_in<block<double>>;

/// A block is block_values packs, one column after the other.
template <class T>
NPB_HD five<T> load_column(const double* block, int column) {
  static_assert(block_values == 5 * r_values);
  return load_five<T>(block + r_values * T::width * column, T::width);
}
template <class T>
NPB_HD void store_column(double* block, int column, const five<T>& x) {
  store_five(block + r_values * T::width * column, T::width, x);
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
