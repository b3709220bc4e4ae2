#pragma once
/// From a key to its region, wait-free for readers.

#include "region.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace yoke::detail {

/// Open addressing with linear probing, at most half full. Readers take no lock; writers exclude each other
/// (the caller's lock). Growing publishes a new table; the old one stays until the index ends, since a reader
/// may still be in it. Old tables together are smaller than the current one.
class region_index {
 public:
  region_index();

  /// nullptr when the key is unknown. The result may be unregistered at any time: check its `start`.
  region* find(key wanted) const noexcept {
    const table& in = *current_.load(std::memory_order_acquire);
    std::size_t i = in.first_of(wanted);
    for (std::size_t probes = 0; probes <= in.mask; ++probes, i = in.next(i)) {
      const key found = in.slots[i].wanted.load(std::memory_order_acquire);
      if (found == wanted) return in.slots[i].object.load(std::memory_order_relaxed);
      if (found == nullptr) return nullptr;
    }
    return nullptr;
  }
  /// Makes room, so that the next insert cannot fail.
  void reserve_one();
  void insert(key wanted, region* object) noexcept;
  void erase(key wanted) noexcept;

 private:
  struct slot {
    std::atomic<key> wanted{nullptr};
    std::atomic<region*> object{nullptr};
  };
  struct table {
    /// `capacity` is a power of two.
    explicit table(std::size_t capacity)
        : mask{capacity - 1},
          shift{64 - std::countr_zero(capacity)},
          slots{std::make_unique<slot[]>(capacity)} {}
    const std::size_t mask;
    const int shift;
    const std::unique_ptr<slot[]> slots;

    std::size_t first_of(key wanted) const noexcept {
      // Fibonacci hashing: the high bits depend on all bits of the address, whatever its alignment.
      return (reinterpret_cast<std::uintptr_t>(wanted) * 0x9E3779B97F4A7C15u) >> shift;
    }
    std::size_t next(std::size_t i) const noexcept { return (i + 1) & mask; }
    void insert(key wanted, region* object) noexcept;
  };
  /// Marks a slot whose key is gone but which others may lie behind; no object starts at this address.
  static const key gone;

  std::atomic<table*> current_;
  std::vector<std::unique_ptr<table>> tables_;  ///< the last is the current one
  std::size_t used_ = 0;                        ///< slots that are not empty, marks included
};

}  // namespace yoke::detail
