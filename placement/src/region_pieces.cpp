#include "locked_regions.hpp"

#include <fmt/format.h>

#include <yoke/detail/region_pieces.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

shared_table& versions_of(region_table& regions) { return store_of(regions).table(); }

struct regions_for_work::held {
  region_store& store;
  locked_regions regions;
};

namespace {

std::vector<wanted_region> all_of(region_store& store, std::span<const region_name> regions) {
  std::vector<wanted_region> all;
  for (const region_name& each : regions)
    all.push_back({{static_cast<region*>(each.object), each.start}, &store, access::write});
  return all;
}

regions_for_work::memory memory_of(const region& object, int n_spaces) {
  regions_for_work::memory found{object.piece, object.bytes, {}};
  for (int space = 0; space < n_spaces; ++space)
    found.addresses.push_back(object.address_in(space_id{space}));
  return found;
}

}  // namespace

region_name named(region_table& regions, const placed_region& region) {
  const placed_region::handle& handle = region.get();
  if (&handle.store() != &store_of(regions))
    throw usage_error{fmt::format("{}: it belongs to another runtime than the work", handle.name)};
  return {handle.region.object, handle.region.start, handle.bytes};
}

void promise_work(region_table& of, std::span<const region_name> regions, const versions::mark_ptr& by) {
  region_store& store = store_of(of);
  const locked_regions locked{all_of(store, regions), true};
  for (const wanted_region& each : locked.all) {
    store.table()->promise(each.region.object->piece, by);
    store.publish(*each.region.object);
  }
}

regions_for_work::regions_for_work(region_table& of, std::span<const region_name> regions, space_id space)
    : held_{new held{store_of(of), locked_regions{all_of(store_of(of), regions), true}}} {
  for (const wanted_region& each : held_->regions.all)
    held_->store.prepare_for_work(*each.region.object, space);
  for (const region_name& each : regions)
    all_.push_back(memory_of(*static_cast<const region*>(each.object), held_->store.transfers().n_spaces()));
}

regions_for_work::~regions_for_work() {
  for (const wanted_region& each : held_->regions.all) held_->store.publish(*each.region.object);
}

}  // namespace yoke::detail
