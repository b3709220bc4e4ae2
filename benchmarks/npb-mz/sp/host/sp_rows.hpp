#pragma once
/// Packs of eliminated rows in memory. In an unnamed namespace: see pack.hpp.

#include "../../common/pack_rows.hpp"
#include "../sp_physics.hpp"

namespace npb::sp {
namespace {

/// Numbers of a point on a line: of r, of its wave, of D* and E*.
constexpr int r_values = numbers_in<five<double>>;
constexpr int wave_values = numbers_in<wave<double>>;
constexpr int row_values = numbers_in<eliminated<double>>;

/// D* and E*, one pack after the other.
template <class T>
NPB_HD eliminated<T> load_rows(const double* p) {
  constexpr int w = T::width;
  static_assert(sizeof(eliminated<T>) == row_values * sizeof(T) && row_values == 6);
  return {{T::load(p), T::load(p + w), T::load(p + 2 * w)},
          {T::load(p + 3 * w), T::load(p + 4 * w), T::load(p + 5 * w)}};
}
template <class T>
NPB_HD void store_rows(double* p, const eliminated<T>& row) {
  for (int n = 0; n < 3; ++n) {
    row.d[n].store(p + n * T::width);
    row.e[n].store(p + (3 + n) * T::width);
  }
}

}  // namespace
}  // namespace npb::sp
