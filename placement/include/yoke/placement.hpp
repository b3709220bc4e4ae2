#pragma once
/// Key-based data placement over the memory spaces of the current runtime.
/// Source: González & Morancho, Table 4; unregister_mem, the _async forms, adoption and reservation are ours.
/// Wherever a space is taken, a CU may be given instead (its space); without one, it is the calling thread's.

#include <yoke/region_table.hpp>

namespace yoke::placement {

/// A memory space, given as such or as the CU whose space it is.
class where {
 public:
  where();  ///< the calling thread's space
  where(space_id space) : space_{space} {}
  where(unit_id unit);
  operator space_id() const { return space_; }

 private:
  space_id space_;
};

/// Errors of all primitives: usage_error where there is no runtime, and those of region_table. The plain
/// forms that move or free bytes come after what the calling GPU CU has queued on its stream.
void register_mem(const void* start, std::size_t bytes);
[[nodiscard]] void* reserve(std::size_t bytes);
void unregister_mem(key region);
space_id placement_of(key region);
void* alloc(key region, where space = {});
void adopt(key region, void* address, where space = {});
void dealloc(key region, where space = {});
void* mem_addr(key region, where space = {});
void migrate(key region, where to = {});
void copy(key region, where from, where to);
/// On the calling CU's stream where that CU is on the device in question (the destination's, where that is
/// the host the source's), else on a stream of the table's own. alloc_async has allocated on return.
[[nodiscard]] event alloc_async(key region, where space = {});
[[nodiscard]] event dealloc_async(key region, where space = {});
[[nodiscard]] event migrate_async(key region, where to = {});
[[nodiscard]] event copy_async(key region, where from, where to);

bool is_gpu(space_id space);
bool is_cpu(space_id space);
/// The ordinal for cudaSetDevice of the space's device; -1 for the host.
int gpu_id(space_id space);

}  // namespace yoke::placement
