#pragma once
/// Where the rows of a part begin among the lines of memory.

#include <cstdint>

namespace yoke::detail {

struct row_start {
  std::uintptr_t first = 0;  ///< address of the first row's first element
  std::int64_t element = 1;  ///< bytes
  std::int64_t stride = 0;   ///< elements from row to row; 0: there is one row
  std::int64_t length = 0;   ///< elements
};

/// Elements from the multiple of 128 bytes below to the first one, the same in each row; 0 where rows differ
/// in that, or are so short that more items would cost more than whole lines gain.
constexpr std::int64_t elements_past_line(const row_start& of) {
  constexpr std::int64_t line = 128, short_row = 256;
  if (of.length < short_row || line % of.element != 0 || of.stride * of.element % line != 0) return 0;
  const auto past = static_cast<std::int64_t>(of.first % line);
  return past % of.element == 0 ? past / of.element : 0;
}

}  // namespace yoke::detail
