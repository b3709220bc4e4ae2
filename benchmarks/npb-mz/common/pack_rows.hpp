#pragma once
/// Packs of components in memory. In an unnamed namespace: see pack.hpp.

#include "pack.hpp"

#include <cstdint>

namespace npb {
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

}  // namespace
}  // namespace npb
