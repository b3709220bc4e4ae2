/// Several regions at once: all copies are queued before anyone waits.
#include "locked_regions.hpp"

#include <algorithm>
#include <vector>

#include <yoke/openmp.hpp>

namespace yoke::detail {

namespace {

std::vector<wanted_region> wanted_by(std::span<const region_use> uses) {
  std::vector<wanted_region> all;
  for (const region_use& use : uses) {
    const placed_region::handle& handle = use.region->get();
    all.push_back({handle.region, &handle.store(), use.how});
  }
  return all;
}

bool between_devices(const region& of, space_id to) { return of.placement > host_space && to != host_space; }

/// What moves inside one device is queued first; between devices half of the move happens at once.
void bring(const locked_regions& regions, space_id to, const caller& by) {
  for (const wanted_region& each : regions.all) {
    region& object = *each.region.object;
    if (!between_devices(object, to)) static_cast<void>(each.store->start(object, to, each.how, by, false));
  }
  for (const wanted_region& each : regions.all) {
    each.store->bring(*each.region.object, to, each.how, by, true);
  }
}

/// Whether a CPU CU finds all of them on the host, with nothing under way.
bool are_quiet(std::span<const region_use> uses) {
  return std::ranges::all_of(uses, [](const region_use& use) {
    const placed_region::handle& handle = use.region->get();
    return handle.store().is_quiet_in(handle.region, host_space, use.how);
  });
}

void fill_in_addresses(std::span<region_use> uses, space_id space) {
  for (region_use& use : uses) {
    const placed_region::handle& handle = use.region->get();
    use.address = handle.store().mem_addr(handle.region, space);
  }
}

/// The CU that calls, as the runtime of the regions knows it.
caller calling_unit(std::span<const region_use> uses) {
  const region_store& store = uses.front().region->get().store();
  caller by = store.calling();
  for (const region_use& use : uses) {
    if (by.unit != nullptr && use.region->get().store().units() == store.units()) continue;
    throw usage_error{
        openmp::in_region()
            ? "launch_here: the placed objects do not all belong to the current runtime"
            : "launch_here: called outside of a parallel region, where there is no unit to launch "
              "on; call it in run or each_unit"};
  }
  return by;
}

}  // namespace

struct launch_regions::held {
  locked_regions regions;
  caller by;
};

launch_regions::launch_regions(std::span<region_use> uses) {
  const caller by = calling_unit(uses);
  if (by.dev != nullptr || !are_quiet(uses)) {
    auto held =
        std::make_unique<launch_regions::held>(launch_regions::held{locked_regions{wanted_by(uses)}, by});
    bring(held->regions, by.unit->space, by);
    if (by.dev != nullptr) held_ = std::move(held);
  }
  fill_in_addresses(uses, by.unit->space);
}

launch_regions::~launch_regions() = default;

void launch_regions::launched() {
  if (held_ == nullptr) return;
  const caller& by = held_->by;
  try {
    const auto work = held_->regions.all.front().store->queued(by);
    for (const wanted_region& each : held_->regions.all)
      each.store->launched(*each.region.object, each.how, by, work);
  } catch (...) {
    // A kernel that nobody could wait for must not go on.
    try {
      by.dev->synchronize(by.stream);
    } catch (...) {  // NOLINT(bugprone-empty-catch): the first error is the one reported
    }
    throw;
  }
}

void bring_here(std::span<region_use> uses) {
  const region_store& store = uses.front().region->get().store();
  const caller by = store.calling();
  bring(locked_regions{wanted_by(uses)}, store.here(by), by);
}

}  // namespace yoke::detail
