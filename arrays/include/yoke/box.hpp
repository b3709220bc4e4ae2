// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Index ranges of one to four dimensions: the bounds of loops, parts of arrays, sections of memory.

#include <array>
#include <cstdint>

#include <yoke/bound.hpp>
#include <yoke/loop_index.hpp>

namespace yoke {

namespace detail {

/// A box whose number of dimensions is known at run time only; the other sides are [0, 1).
struct any_box {
  int dimensions = 1;
  std::array<bound, 4> sides{bound{1}, bound{1}, bound{1}, bound{1}};

  const bound& operator[](int d) const { return sides[static_cast<std::size_t>(d)]; }
  bound& operator[](int d) { return sides[static_cast<std::size_t>(d)]; }
  bool empty() const {
    for (const bound& side : sides)
      if (side.end <= side.begin) return true;
    return false;
  }
};

}  // namespace detail

/// The indices of a loop: {n, m} from 0, or {{1, n - 1}, {1, m - 1}}. Empty where an end is not above its
/// begin in any dimension; a loop over an empty box runs nothing. Dimension 0 is that of rows or planes, the
/// last one runs along a row.
///
/// A box has no array: whether arrays have these indices is asked where a loop uses both (for_each.hpp).
/// Indices below 0 are for loops that write no array and whose arrays are not distributed there.
template <int D>
  requires(D >= 1 && D <= 4)
class box {
 public:
  constexpr box(const bound (&sides)[D]) {
    for (int d = 0; d < D; ++d) sides_[static_cast<std::size_t>(d)] = sides[d];
  }

  /// Requires: 0 <= d < D.
  constexpr const bound& operator[](int d) const { return sides_[static_cast<std::size_t>(d)]; }
  /// Whether it has this index in every dimension.
  constexpr bool contains(const loop_index<D>& at) const {
    for (int d = 0; d < D; ++d)
      if (at[d] < (*this)[d].begin || at[d] >= (*this)[d].end) return false;
    return true;
  }
  /// The same with the number of dimensions as a value.
  detail::any_box sides() const {
    detail::any_box any{.dimensions = D};
    for (int d = 0; d < D; ++d) any[d] = (*this)[d];
    return any;
  }

 private:
  std::array<bound, D> sides_{};
};

}  // namespace yoke
