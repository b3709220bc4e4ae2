/// The operations that region_table and the free functions promise.
#include "loans.hpp"
#include "region_store.hpp"

#include <fmt/format.h>
#include <utility>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>

namespace yoke::detail {

void region_store::unregister(region_ref of, const caller& by) {
  const auto guard = lock(of, access::write);
  if (of.object->of_placed) {
    throw usage_error{fmt::format(
        "{}: it belongs to a yoke::placed, which unregisters it when it is destroyed", name_of(*of.object))};
  }
  remove(*of.object, by, false);
}

void* region_store::mem_addr(region_ref of, space_id space) const {
  copies_.check_space(space);
  void* address = of.object->address_in(space);
  regions_.check(of);
  return address;
}

void* region_store::alloc(region_ref of, space_id space) {
  copies_.check_space(space);
  const auto guard = regions_.lock(of);
  const copies::added made = copies_.add(*of.object, space);
  if (made.fresh && space == host_space && of.object->guard != nullptr) {
    of.object->guard->leave_to_program(true);
    guard_host(*of.object);
  }
  return made.address;
}

void region_store::adopt(region_ref of, void* address, space_id space) {
  copies_.check_space(space);
  const auto guard = regions_.lock(of);
  copies_.adopt(*of.object, address, space);
}

void region_store::check_dealloc(const region& of, space_id space) const {
  const auto refuse = [&](const std::string& why) {
    throw usage_error{fmt::format("{}: dealloc in {}: {}", name_of(of), copies_.name_of(space), why)};
  };
  if (of.address_in(space) == nullptr) refuse("it is not allocated there (was it deallocated twice?)");
  if (space == host_space && !of.reserved) {
    refuse("the host memory of a registered region belongs to the program; unregister_mem lets go of it");
  }
  if (of.placement != space) return;
  // A region of a placed object has values that somebody owns; without one, who frees it wants it empty.
  if (!of.reserved || of.of_placed) refuse("it is placed there; migrate it to another space first");
  for (int other = 0; other < transfers_.n_spaces(); ++other) {
    if (other != space && of.address_in(space_id{other}) != nullptr) {
      refuse(fmt::format("it is placed there and has a copy in {}; migrate it there first",
                         copies_.name_of(space_id{other})));
    }
  }
}

void region_store::lost_copy(region& of, space_id space) {
  versions_->drop(of.piece, space);
  publish(of);
}

void region_store::dealloc(region_ref of, space_id space, const caller& by) {
  copies_.check_space(space);
  const auto guard = lock(of, access::write);
  check_dealloc(*of.object, space);
  come_after(*of.object, space, access::write, {.unit = by.unit});
  lost_copy(*of.object, space);
  copies_.remove(*of.object, space);
}

event region_store::dealloc_async(region_ref of, space_id space, const caller& by) {
  if (space == host_space) return dealloc(of, space, by), event{};
  copies_.check_space(space);
  const auto guard = lock(of, access::write);
  region& object = *of.object;
  check_dealloc(object, space);
  const queue on = queue_of(transfers_.device_of(space), by);
  waits before{on};
  wait_for(object, space, access::write, by, before);
  // The caller's event comes last: once it is done, so is the one that frees the memory.
  event ours = transfers_.mark(space, on.stream, before);
  event for_caller = transfers_.mark(space, on.stream, before);
  copies_.remove_later(object, space, std::move(ours));
  lost_copy(object, space);
  return for_caller;
}

void region_store::migrate(region_ref of, space_id to, const caller& by) {
  copies_.check_space(to);
  if (is_quiet_in(of, to, access::write)) return;
  const auto guard = lock(of, access::write);
  bring(*of.object, to, access::write, {.unit = by.unit}, true);
}

void region_store::migrate_discarding(region_ref of, space_id to, const caller& by) {
  copies_.check_space(to);
  if (is_quiet_in(of, to, access::write)) return;
  const auto guard = lock(of, access::write);
  new_copy fresh{copies_, *of.object, to};
  come_after(*of.object, to, access::write, {.unit = by.unit});
  fresh.keep();
  place(*of.object, to);
  publish(*of.object);
}

event region_store::migrate_async(region_ref of, space_id to, const caller& by) {
  copies_.check_space(to);
  const auto guard = lock(of, access::write);
  if (auto done = start(*of.object, to, access::write, by, false)) return std::move(*done);
  come_after(*of.object, to, access::write, {.unit = by.unit});
  return {};
}

void region_store::copy(region_ref of, space_id from, space_id to, const caller& by) {
  copies_.check_space(from);
  copies_.check_space(to);
  const auto guard = lock(of, access::write);
  copy_existing(*of.object, from, to, by, true);
}

void region_store::copy_bytes(location from, location to, std::size_t bytes) {
  copies_.check_space(from.space);
  copies_.check_space(to.space);
  if (bytes == 0) return;
  for (const location& end : {from, to}) {
    if (end.address != nullptr) continue;
    throw usage_error{fmt::format("copying {} bytes: the address in {} is null; give one of memory there",
                                  bytes, copies_.name_of(end.space))};
  }
  check_host_range(from, bytes, false);
  check_host_range(to, bytes, true);
  const ticks began = observer_ ? now() : ticks{};
  transfers_.copy(from, to, bytes);
  if (observer_)
    observer_({.from = from.space, .to = to.space, .bytes = bytes, .began = began, .ended = now()});
}

event region_store::copy_async(region_ref of, space_id from, space_id to, const caller& by) {
  copies_.check_space(from);
  copies_.check_space(to);
  const auto guard = lock(of, access::write);
  return copy_existing(*of.object, from, to, by, false);
}

void* region_store::lend_in(region_ref of, space_id space, access how, const caller& by) {
  region& object = *of.object;
  std::unique_lock<std::mutex> guard;
  if (units_share_devices_ || !is_quiet_in(of, space, how)) {
    guard = lock(of, how);
    bring(object, space, how, by, goes_at_once(object, space, by));
  }
  if (by.dev != nullptr) lend(object, *units_, *by.unit, how);
  return mem_addr(of, space);
}

}  // namespace yoke::detail
