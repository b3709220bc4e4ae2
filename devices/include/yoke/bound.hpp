#pragma once
/// Ranges of indices, of loops, parts and views.

#include <concepts>
#include <cstdint>

#include <yoke/compiler.hpp>

namespace yoke {

/// The indices [begin, end) of one dimension; n alone is [0, n), of any integer type. Made implicitly, so
/// that {n, m} and {{1, n - 1}, {1, m - 1}} are bounds of two dimensions.
struct bound {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  constexpr bound() = default;
  template <std::integral N>
  YOKE_HD constexpr bound(N n) : end{static_cast<std::int64_t>(n)} {}
  template <std::integral B, std::integral E>
  YOKE_HD constexpr bound(B from, E to)
      : begin{static_cast<std::int64_t>(from)}, end{static_cast<std::int64_t>(to)} {}

  /// Number of indices; 0, never less, where the end is not above the begin.
  YOKE_HD constexpr std::int64_t size() const { return end > begin ? end - begin : 0; }
  friend constexpr bool operator==(const bound&, const bound&) = default;
};

}  // namespace yoke
