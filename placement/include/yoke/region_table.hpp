// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Regions of memory over several spaces: which copies exist, and in which one space each region is placed.

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/compute_units.hpp>
#include <yoke/device.hpp>
#include <yoke/event.hpp>

namespace yoke {

class region_table;

/// The host address that names a region.
using key = const void*;

/// Bytes and number of copies from one space to another since the table was made.
struct transfer_count {
  space_id from;
  space_id to;
  std::size_t bytes = 0;
  std::size_t copies = 0;
};

/// One move of bytes from a space to another, as its observer is told; of one that was queued, the times
/// between which that happened.
struct transfer_seen {
  space_id from;
  space_id to;
  std::size_t bytes = 0;
  ticks began = 0;
  ticks ended = 0;
};

namespace detail {
/// What messages call a region beside its number, address and size.
struct region_label {
  std::string_view name{};     ///< as the program calls it; copied
  std::string_view element{};  ///< type of its elements; lives as long as the program
  std::string purpose{};       ///< instead of all that: what it is for, where Yoke has made it
  /// What to do where there is no memory for a copy, other than for regions of a program; lives as long.
  std::string_view advice{};
};

class region_store;
inline region_store& store_of(region_table& table);
}  // namespace detail

/// Regions, by key. Thread-safe under concurrent calls from all CUs; finding a region by its key is
/// wait-free. Two concurrent calls that change the same region are ordered by a lock of that region. Errors
/// of all members: usage_error (unknown key, space out of range, not allocated there, double free,
/// overlapping or empty registration), out_of_memory, device_error; the state is then as before the call.
class region_table {
 public:
  /// `devices[s-1]` is the device of space s.
  explicit region_table(std::span<device* const> devices);
  ~region_table();
  region_table(const region_table&) = delete;
  region_table& operator=(const region_table&) = delete;

  /// From now on the free functions of yoke::placement and placed objects know which CU of `units` calls, and
  /// find the keys of this table also while another runtime is current. Once (usage_error), before the
  /// first region; `units` end before the table.
  void serve(const compute_units& units);

  int n_spaces() const;
  /// nullptr for the host.
  device* device_of(space_id space) const;
  /// Bytes that copies can have in `space`: what is free there, and what the table has there that none uses.
  std::size_t memory_free(space_id space) const;

  /// The region is [start, start+bytes) of host memory, allocated and placed on the host. Messages say its
  /// name, and without one its number, counted from 1 in the order in which regions are made.
  void register_mem(const void* start, std::size_t bytes, std::string_view name = {});
  /// A region of `bytes` without host pages: the key is an address range that cannot be accessed until
  /// alloc(key, host_space) or a migration gives it pages. Placed nowhere; the first migrate decides.
  /// Unregistering gives the address range back.
  [[nodiscard]] void* reserve(std::size_t bytes, std::string_view name = {}) {
    return reserve(bytes, detail::region_label{.name = name});
  }
  [[nodiscard]] void* reserve(std::size_t bytes, const detail::region_label& label);
  /// Frees every copy that the table allocated, when nothing uses it any more. No effect in a forked child.
  void unregister_mem(key region);

  std::size_t size_of(key region) const;
  /// -1 for a reserved region that is placed nowhere yet.
  space_id placement_of(key region) const;
  bool is_allocated(key region, space_id space) const;

  /// Address of the copy in `space`; a device address for devices. Existing allocations are returned as they
  /// are.
  void* alloc(key region, space_id space);
  /// Memory that somebody else allocated in the device space `space` becomes the region's copy there; it is
  /// never freed by us, dealloc only forgets it.
  void adopt(key region, void* address, space_id space);
  /// Frees the copy in `space`, which must not be the region's placement, except that a reserved region may
  /// lose its only copy and is then placed nowhere. The host memory of a registered region is the caller's.
  void dealloc(key region, space_id space);
  /// nullptr when not allocated there.
  void* mem_addr(key region, space_id space) const;

  /// Allocates in `to` if needed, copies, then changes the placement; cheap when placed there already. The
  /// old allocation stays. A region placed nowhere is only allocated and placed. It counts as a write: read
  /// copies elsewhere are stale, but keep their memory; one that is current in `to` is not copied again.
  void migrate(key region, space_id to);
  /// The same for who overwrites all of the region next: nothing is copied, and its bytes in `to` are
  /// anything.
  void migrate_discarding(key region, space_id to);
  /// Copies between two existing allocations; placement stays.
  void copy(key region, space_id from, space_id to);

  /// Copies bytes from an address of one space to one of any other, which do not overlap; regions are not
  /// asked and know nothing of it. Has completed on return.
  void copy(const void* from, space_id from_space, void* to, space_id to_space, std::size_t bytes);

  /// migrate and copy on `stream` of the device in question (the destination's, where that is the host the
  /// source's), or on a stream of the table's own where `stream` is null. Placement is changed at once; the
  /// bytes are there when the event is done. A later operation on the region waits for this one. An error
  /// that a device reports only after the call is thrown by the event and by the next operation on the
  /// region.
  [[nodiscard]] event migrate_async(key region, space_id to, stream_handle stream);
  [[nodiscard]] event copy_async(key region, space_id from, space_id to, stream_handle stream);
  /// The copy is gone for the table at once; its memory is given back when what `stream` of that device has
  /// been given before has run (seen by a later call).
  [[nodiscard]] event dealloc_async(key region, space_id space, stream_handle stream);

  std::vector<transfer_count> transfers() const;
  /// `observer` is called after each transfer between two spaces, on the thread that asked for it. It must
  /// not throw. Set before the table is used by other threads.
  void observe_transfers(std::function<void(const transfer_seen&)> observer);

 private:
  friend detail::region_store& detail::store_of(region_table& table);
  std::unique_ptr<detail::region_store> store_;
};

namespace detail {
region_store& store_of(region_table& table) { return *table.store_; }
current_slot<region_table>& current_regions() noexcept;
}  // namespace detail

}  // namespace yoke
