// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Says what happened when somebody touches memory that he must not: device addresses of an emulated device,
/// and where checks are on the host's bytes of what is placed elsewhere.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

struct told_range;

/// What memory is touched. Each kind is looked up by itself.
enum class touched { device_address, host_copy };

/// While it lives, an access to [first, last) that the system refuses prints one line, "yoke: host code
/// touched 0x… " and `told`, before the process gets its SIGSEGV. The handler is installed once, by the first
/// one. It passes other faults, and signals that somebody sent, on to what was there before. Thread-safe.
class told_faults {
 public:
  told_faults() = default;
  /// `told` is cut after 400 bytes. `lifts`: a forked child gets all rights to the range, which is whole
  /// pages. Without memory for one more range faults come without a line.
  told_faults(touched kind, std::uintptr_t first, std::uintptr_t last, std::string_view told,
              bool lifts = false);
  ~told_faults();
  told_faults(told_faults&& other) noexcept : range_{std::exchange(other.range_, nullptr)} {}
  told_faults& operator=(told_faults&& other) noexcept {
    std::swap(range_, other.range_);
    return *this;
  }

  /// Other words from here on.
  void tell(std::string_view told) noexcept;

 private:
  told_range* range_ = nullptr;
};

/// Whether the address is in a range of that kind.
bool is_told(touched kind, const void* address) noexcept;
/// Gives all rights back to the ranges that a forked child would get them to, for a process that ends without
/// its destructors. Async-signal-safe.
void lift_guards() noexcept;

/// What the program may do with memory of its own.
enum class rights { none, read, all };

/// Pages of the program's memory whose rights are taken away for a time. All rights at its end.
class guarded_pages {
 public:
  guarded_pages() = default;
  /// The pages that lie in the range as a whole. None where the range is no memory that can be read and
  /// written, or belongs to a driver. `own`: the range is a mapping by itself, and its last page counts.
  guarded_pages(const void* start, std::size_t bytes, bool own);
  ~guarded_pages() { allow(rights::all, {}); }
  guarded_pages(const guarded_pages&) = delete;
  guarded_pages& operator=(const guarded_pages&) = delete;

  std::uintptr_t first() const { return first_; }
  std::uintptr_t last() const { return last_; }
  /// An access beyond `now` is told in these words. Where the system refuses (a process has a limited number
  /// of mappings), all rights stay. May be called again for other words.
  void allow(rights now, std::string_view told) noexcept;

 private:
  std::uintptr_t first_ = 0;
  std::uintptr_t last_ = 0;  ///< as first_ where there are none
  rights now_ = rights::all;
  told_faults told_;
};

}  // namespace yoke::detail
