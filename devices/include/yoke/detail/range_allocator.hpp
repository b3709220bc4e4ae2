// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// First fit with coalescing over a range of offsets; knows no memory, so that it is tested alone.

#include <cstddef>
#include <map>
#include <optional>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

class range_allocator {
 public:
  static constexpr std::size_t granule = 256;

  /// Gives out at most `bytes` at a time, of offsets below `range`, or `bytes` where that is more.
  explicit range_allocator(std::size_t bytes, std::size_t range = 0);

  /// Offset of a free range, a multiple of `granule`; nothing when no free range is long enough.
  std::optional<std::size_t> take(std::size_t bytes);

  struct range {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  /// Gives back what take returned; the result is the whole free range it is part of now. Nothing when
  /// `offset` is not the start of a taken range.
  std::optional<range> give_back(std::size_t offset);

  /// Whether [offset, offset + bytes) lies inside one taken range, counting the bytes that were asked for.
  bool contains(std::size_t offset, std::size_t bytes) const;
  std::size_t free_bytes() const { return free_bytes_; }

 private:
  struct taken_range {
    std::size_t wanted;  ///< as asked
    std::size_t length;  ///< rounded up
  };
  std::map<std::size_t, std::size_t> free_;  ///< offset -> length, never adjacent
  std::map<std::size_t, taken_range> taken_;
  std::size_t free_bytes_;
};

}  // namespace yoke::detail
