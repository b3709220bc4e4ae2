// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Key-based data placement over the memory spaces of the current runtime.
/// Source: González & Morancho, Table 4; unregister_mem, the _async forms, adoption, reservation and what
/// gives addresses (read_here, migrate_here) are ours. A region that a program owns is a yoke::placed
/// (placed.hpp).
///
/// A key is found in the current runtime, else in whichever has it. register_mem and reserve make a runtime
/// from the environment where there is none; whatever takes a key makes none.

#include <yoke/kernel.hpp>
#include <yoke/placed.hpp>
#include <yoke/region_table.hpp>

namespace yoke::placement {

/// A memory space, given as such, as the CU whose space it is, or not at all: then it is the calling CU's
/// space, and outside of parallel regions the host's, whatever the configuration.
class where {
 public:
  where() = default;
  where(space_id space) : space_{space}, kind_{kind::space} {}
  where(unit_id unit) : unit_{unit}, kind_{kind::unit} {}

  /// The space of a region's runtime that is meant. Errors: usage_error for a unit that does not exist, and
  /// for none where a CU of another runtime calls.
  space_id in(const detail::region_store& regions) const {
    return kind_ == kind::space ? space_ : found_in(regions);
  }

 private:
  enum class kind { caller, space, unit };
  space_id found_in(const detail::region_store& regions) const;

  space_id space_;
  unit_id unit_;
  kind kind_ = kind::caller;
};

/// Errors of all primitives: usage_error where there is no runtime, and those of region_table. The plain
/// forms that move or free bytes come after what the calling GPU CU has queued on its stream.
void register_mem(const void* start, std::size_t bytes, std::string_view name = {});
[[nodiscard]] void* reserve(std::size_t bytes, std::string_view name = {});
void unregister_mem(key region);
space_id placement_of(key region);
void* alloc(key region, where space = {});
void adopt(key region, void* address, where space = {});
void dealloc(key region, where space = {});
void* mem_addr(key region, where space = {});
void migrate(key region, where to = {});
/// migrate without the bytes, for who overwrites all of them.
void migrate_discarding(key region, where to = {});
void copy(key region, where from, where to);
/// Between addresses, of whatever memory: what mem_addr, alloc or a device gave, or the host's own. The two
/// ranges do not overlap; no placement changes, and copies that regions have there are not made stale.
void copy(const void* from, where from_space, void* to, where to_space, std::size_t bytes);
/// On the calling CU's stream where that CU is on the device in question (the destination's, where that is
/// the host the source's), else on a stream of the table's own. alloc_async has allocated on return.
[[nodiscard]] event alloc_async(key region, where space = {});
[[nodiscard]] event dealloc_async(key region, where space = {});
[[nodiscard]] event migrate_async(key region, where to = {});
[[nodiscard]] event copy_async(key region, where from, where to);

/// Its address in the memory of the calling CU, where a copy for reading is made or filled anew when it has
/// none that is current; the placement stays. Until the next write (a migrate, or what is asked of a placed
/// object that is not const) that copy serves every CU there. Who writes through an address that he has kept
/// must migrate the region first, so that copies are stale.
const void* read_here(key region);
/// migrate, and its address then: what a yoke::placed does.
void* migrate_here(key region);
/// The same for kernels. Both are addresses as placed::here gives them: work that is queued on the CU's
/// stream finds the bytes, and whoever asks for the region next comes after it.
template <class T>
device_ptr<const T> read_here(key region) {
  return device_ptr<const T>{static_cast<const T*>(read_here(region))};
}
template <class T>
device_ptr<T> migrate_here(key region) {
  return device_ptr<T>{static_cast<T*>(migrate_here(region))};
}

bool is_gpu(space_id space);
bool is_cpu(space_id space);
/// The ordinal for cudaSetDevice of the space's device; -1 for the host.
int gpu_id(space_id space);

}  // namespace yoke::placement
