// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What views ask where indices are checked.

#include <cstdint>
#include <vector>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// Errors: usage_error.
[[noreturn]] void origin_beyond_addresses(const std::int64_t* begins, const std::int64_t* strides,
                                          int dimensions, std::size_t element);
/// What a view has.
struct view_box {
  const void* origin;  ///< where the indices 0 would be
  const std::int64_t* begins;
  const std::int64_t* extents;
  int dimensions;
};
/// Errors: usage_error naming the index, what the view has, which argument it is, and at which item or index
/// of a loop that was.
[[noreturn]] void index_outside(const view_box& of, const std::int64_t* index);
/// The same of the box [first, last).
[[noreturn]] void box_outside(const view_box& of, const std::int64_t* first, const std::int64_t* last);

/// A view that a loop gives its kernel to write at its own index, or a subview of it, whose first dimensions
/// are fixed.
struct own_view {
  const void* origin = nullptr;  ///< where the indices 0 would be
  int dimensions = 1;            ///< those that it has left
  int n_fixed = 0;
  std::int64_t fixed[3]{};
};

/// A view that the kernel is given, or a subview of it.
struct given_view {
  const void* origin = nullptr;
  int dimensions = 1;
  int number = 0;  ///< of the arrays of the loop, or the arguments of the kernel, from 1
};

/// What a loop lets the kernel that this thread runs write: the elements with the index that it runs, of
/// these views. Loops fill it where indices are checked; what the kernel is given, so do launches.
struct own_elements {
  std::vector<own_view> views{};
  std::vector<given_view> given{};
  bool is_loop = false;  ///< else `index` is the item of a launch: x, y, z
  int dimensions = 0;    ///< 0: it runs several indices at once, or nobody knows
  std::int64_t index[4]{};

  void forget() {
    views.clear();
    given.clear();
    is_loop = false;
    dimensions = 0;
  }
};
own_elements& own_elements_of_this_thread() noexcept;
/// Errors: usage_error where such a view is used at another index than that of the loop.
void check_own(const void* origin, const std::int64_t* index, int dimensions);
/// `part` is the origin of the subview that fixes the first of the dimensions. Without effect for a view that
/// is none of the loop's.
void note_subview(const void* origin, int dimensions, std::int64_t index, const void* part);

}  // namespace yoke::detail
