#include "region_store.hpp"

#include <utility>

#include <yoke/endings.hpp>
#include <yoke/forks.hpp>
#include <yoke/region_table.hpp>

namespace yoke {

region_table::region_table(std::span<device* const> devices)
    : store_{std::make_unique<detail::region_store>(devices)} {}

region_table::~region_table() {
  if (detail::leaves_all()) detail::abandon(store_.release());
}

void region_table::serve(const compute_units& units) { store_->serve(units); }

int region_table::n_spaces() const { return store_->transfers().n_spaces(); }

device* region_table::device_of(space_id space) const {
  store_->all_copies().check_space(space);
  return store_->transfers().device_of(space);
}

std::size_t region_table::memory_free(space_id space) const {
  store_->all_copies().check_space(space);
  return store_->all_copies().memory_free(space);
}

void region_table::register_mem(const void* start, std::size_t bytes, std::string_view name) {
  store_->add(start, bytes, {.name = name});
}

void* region_table::reserve(std::size_t bytes, const detail::region_label& label) {
  return const_cast<void*>(store_->reserve(bytes, label).start.load());
}

void region_table::unregister_mem(key region) {
  if (detail::leaves_all()) return;  // called by destructors, which may go on
  store_->unregister(store_->regions().find(region), {});
}

std::size_t region_table::size_of(key region) const {
  const detail::region_ref found = store_->regions().find(region);
  const std::size_t bytes = found.object->bytes;
  store_->regions().check(found);
  return bytes;
}

space_id region_table::placement_of(key region) const {
  return store_->placement_of(store_->regions().find(region));
}

void* region_table::mem_addr(key region, space_id space) const {
  return store_->mem_addr(store_->regions().find(region), space);
}

bool region_table::is_allocated(key region, space_id space) const {
  return mem_addr(region, space) != nullptr;
}

void* region_table::alloc(key region, space_id space) {
  return store_->alloc(store_->regions().find(region), space);
}

void region_table::adopt(key region, void* address, space_id space) {
  store_->adopt(store_->regions().find(region), address, space);
}

void region_table::dealloc(key region, space_id space) {
  store_->dealloc(store_->regions().find(region), space, {});
}

event region_table::dealloc_async(key region, space_id space, stream_handle stream) {
  return store_->dealloc_async(store_->regions().find(region), space, {.stream = stream});
}

void region_table::migrate(key region, space_id to) {
  store_->migrate(store_->regions().find(region), to, {});
}

void region_table::migrate_discarding(key region, space_id to) {
  store_->migrate_discarding(store_->regions().find(region), to, {});
}

event region_table::migrate_async(key region, space_id to, stream_handle stream) {
  return store_->migrate_async(store_->regions().find(region), to, {.stream = stream});
}

void region_table::copy(key region, space_id from, space_id to) {
  store_->copy(store_->regions().find(region), from, to, {});
}

void region_table::copy(const void* from, space_id from_space, void* to, space_id to_space,
                        std::size_t bytes) {
  store_->copy_bytes({from_space, const_cast<void*>(from)}, {to_space, to}, bytes);
}

event region_table::copy_async(key region, space_id from, space_id to, stream_handle stream) {
  return store_->copy_async(store_->regions().find(region), from, to, {.stream = stream});
}

std::vector<transfer_count> region_table::transfers() const { return store_->transfers().counts(); }

void region_table::observe_transfers(std::function<void(const transfer_seen&)> observer) {
  store_->observe(std::move(observer));
}

}  // namespace yoke
