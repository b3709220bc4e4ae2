#pragma once
/// Copies of elements between memories that hold boxes of different shapes.

#include "../shapes/index_set.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <yoke/box_copy.hpp>

namespace yoke::detail {

/// Where a memory has elements: distances between neighbours, and the element with the indices `begins`.
struct frame {
  std::byte* first = nullptr;
  std::array<std::int64_t, 4> begins{};
  std::array<std::int64_t, 4> strides{};  ///< elements

  /// Elements from `first` to the one with these indices.
  std::int64_t distance_to(const std::array<std::int64_t, 4>& at) const {
    std::int64_t all = 0;
    for (std::size_t d = 0; d < 4; ++d) all += (at[d] - begins[d]) * strides[d];
    return all;
  }
};

/// Memory for these indices without gaps, the last dimension contiguous.
frame frame_of(std::byte* first, const any_box& held);

/// The elements `what` of both memories; in the source they may have other indices, which begin with
/// `begins`.
struct element_copy {
  const frame& to;
  const frame& from;
  const index_set& what;
  std::array<std::int64_t, 4> begins;
  std::size_t element;
};

/// How far apart elements are at both ends, `n` times.
struct copy_level {
  std::size_t n;
  std::int64_t to, from;  ///< bytes
};

/// A copy as rows of bytes, levels from the innermost outwards.
struct levelled_copy {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::size_t bytes = 0;
  std::vector<copy_level> levels{};
};

/// With as few levels as there are. Requires: all pieces of a dimension have one length.
levelled_copy levels_of(const element_copy& what);
/// Without what lies outside of the first two levels.
box_copy box_of(const levelled_copy& what);

/// copy(box) for each box that elements can be copied by.
template <class Copy>
void for_each_copy(const levelled_copy& what, std::size_t level, const Copy& copy) {
  if (level <= 2) return copy(box_of(what));
  const copy_level& outer = what.levels[level - 1];
  levelled_copy each = what;
  for (std::size_t i = 0; i < outer.n; ++i) {
    for_each_copy(each, level - 1, copy);
    each.to += outer.to;
    each.from += outer.from;
  }
}

template <class Copy>
void for_each_copy(const element_copy& what, const Copy& copy) {
  const levelled_copy levelled = levels_of(what);
  for_each_copy(levelled, levelled.levels.size(), copy);
}

}  // namespace yoke::detail
