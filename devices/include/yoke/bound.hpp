// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Ranges of indices, of loops, parts and views.

#include <concepts>
#include <cstdint>

#include <yoke/compiler.hpp>
#include <yoke/detail/checked_size.hpp>

namespace yoke {

/// The indices [begin, end) of one dimension; n alone is [0, n), of any integer type. Made implicitly, so
/// that {n, m} and {{1, n - 1}, {1, m - 1}} are bounds of two dimensions. Errors: on a host, usage_error for
/// a number that int64 does not hold.
struct bound {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  constexpr bound() = default;
  template <std::integral N>
  YOKE_HD constexpr bound(N n) : end{detail::to_index(n)} {}
  template <std::integral B, std::integral E>
  YOKE_HD constexpr bound(B from, E to) : begin{detail::to_index(from)}, end{detail::to_index(to)} {}

  /// Number of indices; 0, never less, where the end is not above the begin. Requires: fewer than 2^63;
  /// loops refuse more than 2^62.
  YOKE_HD constexpr std::int64_t size() const {
    const std::uint64_t n = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
    return end > begin ? static_cast<std::int64_t>(n) : 0;
  }
  friend constexpr bool operator==(const bound&, const bound&) = default;
};

}  // namespace yoke
