#pragma once
/// Packs of components in memory. In an unnamed namespace: see pack.hpp.

#include "pack.hpp"

#include <cstdint>

namespace npb {
namespace {

constexpr int smaller(int a, int b) { return a < b ? a : b; }

/// Numbers that a struct of doubles has: in memory, as many packs of a struct of packs.
template <class Of>
constexpr int numbers_in = sizeof(Of) / sizeof(double);

template <class T>
NPB_HD five<T> load_five(const double* p, std::int64_t stride) {
  return {{T::load(p), T::load(p + stride), T::load(p + 2 * stride), T::load(p + 3 * stride),
           T::load(p + 4 * stride)}};
}
template <class T>
NPB_HD void store_five(double* p, std::int64_t stride, const five<T>& x) {
  for (int m = 0; m < 5; ++m) x[m].store(p + m * stride);
}

/// Calls f(P{}, i) for packs of type P that begin at i and cover 0 <= i < n: of type T, but for the last four
/// points or fewer packs of four, which cost half as much.
template <class T, class F>
NPB_HD void for_each_pack(int n, F&& f) {
  for (int i = 0; i < n; i += T::width)
    if (n - i <= 4) {
      f(pack<4>{}, i);
    } else {
      f(T{}, i);
    }
}

}  // namespace
}  // namespace npb
