#include "living_stores.hpp"

#include <yoke/endings.hpp>
#include <yoke/error.hpp>
#include <yoke/placement.hpp>

namespace yoke::placement {

namespace {

using detail::caller;
using detail::find_region;

/// The current runtime's, made from the environment where there is none.
region_table& regions() {
  if (region_table* table = detail::current_regions().get()) return *table;
  throw usage_error{
      "placement: there is no runtime yet; make a yoke::runtime first and keep it while regions are used"};
}

/// What the calling GPU CU has queued may still use the region: the plain forms come after it.
void finish_own_work(const caller& by) {
  if (by.dev != nullptr) by.dev->synchronize(by.stream);
}

}  // namespace

space_id where::found_in(const detail::region_store& regions) const {
  if (kind_ == kind::caller) return regions.here(regions.calling());
  if (regions.units() == nullptr) throw usage_error{"placement: the region belongs to a table without units"};
  return regions.units()->at(unit_).space;
}

void register_mem(const void* start, std::size_t bytes, std::string_view name) {
  regions().register_mem(start, bytes, name);
}
void* reserve(std::size_t bytes, std::string_view name) { return regions().reserve(bytes, name); }

void unregister_mem(key region) {
  if (detail::leaves_all()) return;  // there is nothing that a child could give back
  const auto [store, found] = find_region(region);
  const caller by = store.calling();
  finish_own_work(by);
  store.unregister(found, by);
}

space_id placement_of(key region) {
  const auto [store, found] = find_region(region);
  return store.placement_of(found);
}

void* alloc(key region, where space) {
  const auto [store, found] = find_region(region);
  return store.alloc(found, space.in(store));
}

void adopt(key region, void* address, where space) {
  const auto [store, found] = find_region(region);
  store.adopt(found, address, space.in(store));
}

void dealloc(key region, where space) {
  const auto [store, found] = find_region(region);
  const caller by = store.calling();
  finish_own_work(by);
  store.dealloc(found, space.in(store), by);
}

void* mem_addr(key region, where space) {
  const auto [store, found] = find_region(region);
  return store.mem_addr(found, space.in(store));
}

namespace {

using migration = void (detail::region_store::*)(detail::region_ref, space_id, const caller&);

void migrate_by(migration way, key region, where to) {
  const auto [store, found] = find_region(region);
  const space_id target = to.in(store);
  if (store.is_quiet_in(found, target, detail::access::write)) return;
  const caller by = store.calling();
  if (store.placement_of(found) != target) finish_own_work(by);
  (store.*way)(found, target, by);
}

}  // namespace

void migrate(key region, where to) { migrate_by(&detail::region_store::migrate, region, to); }

void migrate_discarding(key region, where to) {
  migrate_by(&detail::region_store::migrate_discarding, region, to);
}

void copy(key region, where from, where to) {
  const auto [store, found] = find_region(region);
  const caller by = store.calling();
  finish_own_work(by);
  store.copy(found, from.in(store), to.in(store), by);
}

void copy(const void* from, where from_space, void* to, where to_space, std::size_t bytes) {
  region_table& table = regions();
  const detail::region_store& store = detail::store_of(table);
  finish_own_work(store.calling());
  table.copy(from, from_space.in(store), to, to_space.in(store), bytes);
}

event alloc_async(key region, where space) {
  // Allocation is not ordered by streams: it is done when the call returns.
  alloc(region, space);
  return {};
}

event dealloc_async(key region, where space) {
  const auto [store, found] = find_region(region);
  return store.dealloc_async(found, space.in(store), store.calling());
}

event migrate_async(key region, where to) {
  const auto [store, found] = find_region(region);
  return store.migrate_async(found, to.in(store), store.calling());
}

event copy_async(key region, where from, where to) {
  const auto [store, found] = find_region(region);
  return store.copy_async(found, from.in(store), to.in(store), store.calling());
}

const void* read_here(key region) {
  const auto [store, found] = find_region(region);
  return store.lend_here(found, detail::access::read, store.calling());
}

void* migrate_here(key region) {
  const auto [store, found] = find_region(region);
  return store.lend_here(found, detail::access::write, store.calling());
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
