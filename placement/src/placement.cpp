#include <algorithm>
#include <fmt/format.h>
#include <string>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/placement.hpp>

namespace yoke::placement {

namespace {

template <class T>
T& current(detail::current_slot<T>& slot) {
  if (T* object = slot.get()) return *object;
  throw usage_error{
      "placement: there is no runtime yet; make a yoke::runtime first and keep it while regions are used"};
}

region_table& regions() { return current(detail::current_regions()); }
compute_units& units() { return current(detail::current_units()); }

/// The calling CU's stream where that CU is on a device of one of the two spaces; else none, and the table
/// takes its own.
stream_handle stream_for(space_id from, space_id to) {
  const compute_unit& caller = units().calling();
  const space_id in_question = to == host_space ? from : to;
  return caller.dev != nullptr && caller.space == in_question ? caller.stream : stream_handle{};
}

/// What the calling GPU CU has queued may still use the region: the plain forms come after it.
void finish_own_work() {
  const compute_unit& caller = units().calling();
  if (caller.dev != nullptr) caller.dev->synchronize(caller.stream);
}

}  // namespace

where::where() : space_{units().calling().space} {}
where::where(unit_id unit) : space_{units().at(unit).space} {}

void register_mem(const void* start, std::size_t bytes) { regions().register_mem(start, bytes); }
void* reserve(std::size_t bytes) { return regions().reserve(bytes); }

void unregister_mem(key region) {
  if (detail::is_forked_child()) return;  // there is nothing that a child could give back
  finish_own_work();
  regions().unregister_mem(region);
}

space_id placement_of(key region) { return regions().placement_of(region); }
void* alloc(key region, where space) { return regions().alloc(region, space); }
void adopt(key region, void* address, where space) { regions().adopt(region, space, address); }

void dealloc(key region, where space) {
  finish_own_work();
  regions().dealloc(region, space);
}

void* mem_addr(key region, where space) { return regions().mem_addr(region, space); }

void migrate(key region, where to) {
  region_table& table = regions();
  const compute_unit& caller = units().calling();
  if (caller.dev != nullptr && table.placement_of(region) != to) caller.dev->synchronize(caller.stream);
  table.migrate(region, to);
}

void copy(key region, where from, where to) {
  finish_own_work();
  regions().copy(region, from, to);
}

event alloc_async(key region, where space) {
  // Allocation is not ordered by streams: it is done when the call returns.
  regions().alloc(region, space);
  return {};
}

event dealloc_async(key region, where space) {
  return regions().dealloc_async(region, space, stream_for(space, space));
}

event migrate_async(key region, where to) {
  region_table& table = regions();
  return table.migrate_async(region, to, stream_for(table.placement_of(region), to));
}

event copy_async(key region, where from, where to) {
  return regions().copy_async(region, from, to, stream_for(from, to));
}

bool is_gpu(space_id space) {
  // A reserved region may be placed nowhere (-1), which is neither a CPU's nor a GPU's memory.
  return space != space_id{} && regions().device_of(space) != nullptr;
}

bool is_cpu(space_id space) { return space != space_id{} && regions().device_of(space) == nullptr; }

int gpu_id(space_id space) {
  const device* dev = space == space_id{} ? nullptr : regions().device_of(space);
  return dev == nullptr ? -1 : dev->info().ordinal;
}

}  // namespace yoke::placement
