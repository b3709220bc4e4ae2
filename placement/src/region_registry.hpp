#pragma once
/// Which regions are registered.

#include "region.hpp"
#include "region_index.hpp"

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <yoke/detail/shared_table.hpp>
#include <yoke/host_users.hpp>

namespace yoke::detail {

/// A region as somebody knows it: that of the key, while `object` has that start.
struct region_ref {
  region* object = nullptr;
  key start = nullptr;
};

/// A region that is to be.
struct new_region {
  const void* start;
  std::size_t bytes;
  region_label label{};
};

/// Thread-safe; find is wait-free.
class region_registry {
 public:
  /// Regions become pieces of `versions`.
  region_registry(int n_spaces, shared_table& versions) : n_spaces_{n_spaces}, versions_{versions} {}

  /// How many GPU units may borrow a region; before the first one is added.
  void expect_gpu_units(int n) { n_gpu_units_ = n; }

  /// From now on regions have a guard of the host's copy. Before the first one is added.
  void guard_host_copies() { guards_ = true; }

  /// Errors: usage_error for an empty or overlapping range.
  region& add(const new_region& wanted, bool reserved);
  /// The region's copies have been released and its lock is held by the caller.
  void remove(region& object) noexcept;

  /// The region of that key; it may be unregistered by others at any time (see check).
  /// Errors: usage_error for an unknown key.
  region_ref find(key wanted) const {
    region* object = try_find(wanted);
    if (object == nullptr) unknown(wanted);
    return {object, wanted};
  }
  /// The same, but nullptr for an unknown key.
  region* try_find(key wanted) const noexcept { return wanted == nullptr ? nullptr : index_.find(wanted); }
  [[noreturn]] void unknown(key wanted) const;
  /// That it is still this region, and so was when it was read. Errors: usage_error.
  void check(region_ref of) const {
    if (of.object->start.load(std::memory_order_acquire) != of.start) unknown(of.start);
  }
  /// Locks the region against changes by others. Errors: usage_error, in a forked child too.
  std::unique_lock<std::mutex> lock(region_ref of) const;
  /// The name of a region that the range overlaps; empty when there is none.
  std::string name_of_overlapping(const void* start, std::size_t bytes) const;
  /// The same of one with bytes of which `shares` is true.
  std::string name_of_sharing(const shares_bytes& shares) const;
  /// The region with a guard that the range overlaps, if any.
  region* guarded_in(const void* start, std::size_t bytes) const;
  /// "region 'forces' at …, its copy in space 1", where the address is; empty where it is no region's.
  std::string name_of_copy_at(const void* address) const;
  /// Every registered region, for the end of the table.
  std::vector<region*> all();

 private:
  /// The registered region that [first, last) overlaps, if any. Under the lock.
  region* overlapping(std::uintptr_t first, std::uintptr_t last) const;
  /// Why there is no region of that key: what is there, was there, or is next to it. Under the lock.
  std::string hint_for(key wanted) const;
  const region* nearest(std::uintptr_t address) const;
  static void set_up(region& object, const new_region& wanted, bool reserved);
  region& unused();

  versions::piece add_piece(const std::string& called, bool reserved);

  const int n_spaces_;
  shared_table& versions_;
  int n_gpu_units_ = 0;
  bool guards_ = false;
  std::size_t n_made_ = 0;
  mutable std::mutex lock_;
  std::deque<region> pool_;
  std::vector<region*> free_;
  std::map<std::uintptr_t, region*> by_start_;
  region_index index_;
};

/// How messages name a region: "region 'forces' at 0x7f3c… (4096 bytes of double)", "region 3 at …" where
/// it has no name.
std::string name_of(const region& object);
std::string name_of(const new_region& wanted);

}  // namespace yoke::detail
