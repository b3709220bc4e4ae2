#pragma once
/// Where checks are on: the host's copy of a region cannot be touched while its bytes are old, nor written
/// while others read them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <yoke/told_faults.hpp>

namespace yoke::detail {

/// Of one region, under its lock. Pages that the region has alone lose their rights. What it has of pages at
/// its ends, which others may have too, cannot be protected: who writes there is found when the region is
/// next asked for.
class host_guard {
 public:
  /// `reserved`: its pages are a mapping by themselves.
  host_guard(const void* start, std::size_t bytes, bool reserved);

  /// What the program may do from here on. Whoever does more is told `why`.
  void allow(rights now, std::string_view why);
  /// Yoke itself is about to copy from or to it.
  void open() { allow(rights::all, {}); }
  rights allowed() const { return now_; }

  /// The program handles the copy by itself (alloc, copy), until the region is next written somewhere.
  void leave_to_program(bool left) noexcept { left_ = left; }
  bool is_left_to_program() const { return left_; }

  /// Whether bytes that are not protected have been written since that was not allowed any more.
  bool was_written() const;

 private:
  using bytes = std::span<const unsigned char>;
  std::uint64_t checksum() const;

  guarded_pages pages_;
  std::array<bytes, 2> ends_;  ///< beside the pages
  rights now_ = rights::all;
  bool left_ = false;
  std::optional<std::uint64_t> ends_were_{};
};

}  // namespace yoke::detail
