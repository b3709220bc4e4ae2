#pragma once
/// Which regions are registered.

#include "region.hpp"
#include "region_index.hpp"

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace yoke::detail {

/// Thread-safe; find is wait-free.
class region_registry {
 public:
  explicit region_registry(int n_spaces) : n_spaces_{n_spaces} {}

  /// Errors: usage_error for an empty or overlapping range.
  void add(const void* start, std::size_t bytes, bool reserved);
  /// The region's copies have been released and its lock is held by the caller.
  void remove(region& object) noexcept;

  /// The region of that key; it may be unregistered by others at any time (see check).
  /// Errors: usage_error for an unknown key.
  region& find(key wanted) const {
    region* object = wanted == nullptr ? nullptr : index_.find(wanted);
    if (object == nullptr) unknown(wanted);
    return *object;
  }
  /// That `object` is still the region `wanted`, and so was when it was read. Errors: usage_error.
  void check(const region& object, key wanted) const {
    if (object.start.load(std::memory_order_acquire) != wanted) unknown(wanted);
  }
  /// Locks the region against changes by others.
  std::pair<region*, std::unique_lock<std::mutex>> lock(key wanted) const;
  /// Every registered region, for the end of the table.
  std::vector<region*> all();

 private:
  [[noreturn]] void unknown(key wanted) const;
  /// The registered region that [first, last) overlaps, if any. Under the lock.
  const region* overlapping(std::uintptr_t first, std::uintptr_t last) const;
  region& unused();

  const int n_spaces_;
  mutable std::mutex lock_;
  std::deque<region> pool_;
  std::vector<region*> free_;
  std::map<std::uintptr_t, region*> by_start_;
  region_index index_;
};

/// "region 0x7f3c… (4096 bytes)": how messages name a region.
std::string name_of(const region& object);
std::string name_of(const void* start, std::size_t bytes);

}  // namespace yoke::detail
