// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Places in arrays of one to four dimensions, the last one along the row.
///
///   YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> u) const { u(at) += at.i + at.j; }

#include <cstdint>

#include <yoke/compiler.hpp>

namespace yoke {

/// One index for each dimension: at.i, at.j, at.k, at.l, as many as there are, or at[0], at[1], …. Of
/// elements, from the array's first index on (0 unless it says otherwise); at.i steps from row to row or
/// from plane to plane, the last one from neighbour to neighbour in memory. A dimension that is not there
/// is not checked: [d] with d >= D is the last index.
template <int D>
  requires(D >= 1 && D <= 4)
struct loop_index;

template <>
struct loop_index<1> {
  std::int64_t i = 0;
  YOKE_HD constexpr std::int64_t operator[](int) const { return i; }
  friend constexpr bool operator==(const loop_index&, const loop_index&) = default;
};

template <>
struct loop_index<2> {
  std::int64_t i = 0, j = 0;
  YOKE_HD constexpr std::int64_t operator[](int d) const { return d == 0 ? i : j; }
  friend constexpr bool operator==(const loop_index&, const loop_index&) = default;
};

template <>
struct loop_index<3> {
  std::int64_t i = 0, j = 0, k = 0;
  YOKE_HD constexpr std::int64_t operator[](int d) const { return d == 0 ? i : d == 1 ? j : k; }
  friend constexpr bool operator==(const loop_index&, const loop_index&) = default;
};

template <>
struct loop_index<4> {
  std::int64_t i = 0, j = 0, k = 0, l = 0;
  YOKE_HD constexpr std::int64_t operator[](int d) const { return d == 0 ? i : d == 1 ? j : d == 2 ? k : l; }
  friend constexpr bool operator==(const loop_index&, const loop_index&) = default;
};

}  // namespace yoke
