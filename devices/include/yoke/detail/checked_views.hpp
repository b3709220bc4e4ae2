#pragma once
/// What views ask where indices are checked.

#include <cstdint>
#include <vector>

namespace yoke::detail {

/// Errors: usage_error naming the index and what the view has.
/// Errors: usage_error.
[[noreturn]] void origin_beyond_addresses(const std::int64_t* begins, const std::int64_t* strides,
                                          int dimensions, std::size_t element);
[[noreturn]] void index_outside(const std::int64_t* index, const std::int64_t* begins,
                                const std::int64_t* extents, int dimensions);
/// Errors: usage_error naming the box [first, last) and what the view has.
[[noreturn]] void box_outside(const std::int64_t* first, const std::int64_t* last, const std::int64_t* begins,
                              const std::int64_t* extents, int dimensions);

/// A view that a loop gives its kernel to write at its own index, or a subview of it, whose first dimensions
/// are fixed.
struct own_view {
  const void* origin = nullptr;  ///< where the indices 0 would be
  int dimensions = 1;            ///< those that it has left
  int n_fixed = 0;
  std::int64_t fixed[3]{};
};

/// What a loop lets the kernel that this thread runs write: the elements with the index that it runs, of
/// these views. Loops fill it where indices are checked.
struct own_elements {
  std::vector<own_view> views{};
  int dimensions = 0;
  std::int64_t index[4]{};
};
own_elements& own_elements_of_this_thread() noexcept;
/// Errors: usage_error where such a view is used at another index than that of the loop.
void check_own(const void* origin, const std::int64_t* index, int dimensions);
/// `part` is the origin of the subview that fixes the first of the dimensions. Without effect for a view that
/// is none of the loop's.
void note_subview(const void* origin, int dimensions, std::int64_t index, const void* part);

}  // namespace yoke::detail
