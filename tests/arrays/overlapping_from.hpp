#pragma once

#include "../../arrays/src/loops/overlap.hpp"

#include <cstdint>

namespace arrays_test {

/// Loops overlap from so many elements of a part on while it lives.
class overlapping_from {
 public:
  explicit overlapping_from(std::int64_t elements) : before_{yoke::detail::set_least_overlapped(elements)} {}
  ~overlapping_from() { yoke::detail::set_least_overlapped(before_); }
  overlapping_from(const overlapping_from&) = delete;
  overlapping_from& operator=(const overlapping_from&) = delete;

 private:
  std::int64_t before_;
};

}  // namespace arrays_test
