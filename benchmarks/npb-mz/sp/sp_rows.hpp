#pragma once
/// Packs of eliminated rows in memory. In an unnamed namespace: see pack.hpp.

#include "../common/pack_rows.hpp"
#include "sp_physics.hpp"

namespace npb::sp {
namespace {

/// D* and E* as six packs, one after the other.
template <class T>
NPB_HD eliminated<T> load_rows(const double* p) {
  constexpr int w = T::width;
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
