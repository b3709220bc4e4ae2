#pragma once
/// Packs of components and of eliminated rows in memory. In an unnamed namespace: see sp_step.hpp.

#include "../common/pack.hpp"
#include "sp_physics.hpp"

#include <cstdint>

namespace npb::sp {
namespace {

constexpr int smaller(int a, int b) { return a < b ? a : b; }

template <class T>
NPB_HD five<T> load_five(const double* p, std::int64_t stride) {
  return {{T::load(p), T::load(p + stride), T::load(p + 2 * stride), T::load(p + 3 * stride),
           T::load(p + 4 * stride)}};
}
template <class T>
NPB_HD void store_five(double* p, std::int64_t stride, const five<T>& x) {
  for (int m = 0; m < 5; ++m) x[m].store(p + m * stride);
}
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
