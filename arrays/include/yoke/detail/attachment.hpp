// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The memory of the host that an array is made on, and the extents that it is given.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>

#include <yoke/box.hpp>
#include <yoke/detail/array_handle.hpp>

namespace yoke::detail {

/// A section of memory, in elements.
struct memory_section {
  int dimensions = 0;  ///< 0: all of the memory
  std::int64_t first = 0;
  std::array<std::int64_t, 4> extents{1, 1, 1, 1};
  std::array<std::int64_t, 4> strides{1, 1, 1, 1};
};

/// The host's memory of an array.
template <class T>
struct attachment {
  std::span<T> memory;
  memory_section section{};

  /// For an array that only reads it.
  template <class Const>
  operator attachment<Const>() const {
    static_assert(std::is_const_v<Const>,
                  "an array of T writes to the memory that it is attached to; of const memory make an "
                  "array<const T, D>");
    return {memory, section};
  }
};

/// An extent, of any integer type. Errors: usage_error for a number that int64 does not hold.
struct extent_of_dimension {
  template <std::integral N>
  constexpr extent_of_dimension(N n) : value{to_index(n)} {}
  std::int64_t value;
};

template <int D>
std::array<std::int64_t, static_cast<std::size_t>(D)> values_of(const extent_of_dimension (&of)[D]) {
  std::array<std::int64_t, static_cast<std::size_t>(D)> values;
  std::ranges::transform(of, values.begin(), &extent_of_dimension::value);
  return values;
}

struct same_as {
  const array_handle& other;
};

/// Errors: usage_error.
void check_attached(std::size_t given, std::size_t wanted);
/// How many there are; below 0 counts as 0. Errors: usage_error naming `what` where all bytes are more than
/// an address can count.
std::size_t elements_of(const char* what, std::span<const std::int64_t> extents, std::size_t element);
void check_number_of_distributions(std::size_t given, int wanted);
/// Of memory of so many elements, of `element` bytes each, that has `extents`; `steps`: null for all
/// elements. Errors: usage_error.
memory_section section_of(std::size_t elements, std::size_t element, int dimensions,
                          const std::int64_t* extents, const bound* sides, const std::int64_t* steps);
/// Errors: usage_error where it is not as large as the array.
void check_section(const memory_section& of, const array_shape& shape);

}  // namespace yoke::detail
