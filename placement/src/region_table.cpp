#include "copies.hpp"
#include "host_range.hpp"
#include "region_registry.hpp"
#include "transfer_engine.hpp"

#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/region_table.hpp>

namespace yoke {

using detail::in_flight;
using detail::location;
using detail::name_of;
using detail::region;

struct region_table::impl {
  explicit impl(std::span<device* const> devices)
      : transfers{devices}, regions{transfers.n_spaces()}, copies{transfers} {}
  ~impl() {
    for (region* each : regions.all()) release(*each);
  }

  /// Waits for what is still under way on the region. Errors: device_error when that has failed.
  static void settle(region& of);
  static void keep(region& of, in_flight work);
  /// What the next operation on a stream of `on` must wait for; other devices' work is waited for here.
  static const in_flight* fence(region& of, const device* on);
  /// Frees everything; the region is not used afterwards.
  void release(region& of) noexcept;

  void* address_in(const region& of, space_id space) const;
  void check_dealloc(const region& of, space_id space) const;
  /// Placement after the copy in `space` has gone.
  static void unplace(region& of, space_id space);
  const device* in_question(space_id from, space_id to) const {
    return transfers.device_of(to == host_space ? from : to);
  }
  location in(const region& of, space_id space) const { return {space, of.address_in(space)}; }
  void transfer(location from, location to, std::size_t bytes);

  detail::transfer_engine transfers;
  detail::region_registry regions;
  detail::copies copies;
  std::function<void(const transfer_seen&)> observer;  ///< empty: nobody asks, and no clock is read
};

void region_table::impl::settle(region& of) {
  if (!of.pending) return;
  const in_flight work = *std::exchange(of.pending, std::nullopt);
  of.busy = false;
  work.done.wait();
}

void region_table::impl::keep(region& of, in_flight work) {
  of.pending = std::move(work);
  of.busy = true;
}

const in_flight* region_table::impl::fence(region& of, const device* on) {
  if (of.pending && of.pending->dev == on) return &*of.pending;
  settle(of);
  return nullptr;
}

void region_table::impl::release(region& of) noexcept {
  try {
    settle(of);
  } catch (...) {
    // The operation has ended, which is all that matters to memory that is given back.
  }
  for (int space = 0; space < transfers.n_spaces(); ++space) copies.remove(of, space_id{space});
  if (of.reserved) detail::release_range(const_cast<void*>(of.start.load()), of.bytes);
}

region_table::region_table(std::span<device* const> devices) : impl_{std::make_unique<impl>(devices)} {}

region_table::~region_table() {
  if (detail::is_forked_child()) detail::abandon(impl_.release());
}

int region_table::n_spaces() const { return impl_->transfers.n_spaces(); }

device* region_table::device_of(space_id space) const {
  impl_->copies.check_space(space);
  return impl_->transfers.device_of(space);
}

void region_table::register_mem(const void* start, std::size_t bytes) {
  impl_->regions.add(start, bytes, false);
}

void* region_table::reserve(std::size_t bytes) {
  if (bytes == 0) throw usage_error{"a reserved region cannot be empty; reserve at least one byte"};
  void* range = detail::reserve_range(bytes);
  try {
    impl_->regions.add(range, bytes, true);
  } catch (...) {
    detail::release_range(range, bytes);
    throw;
  }
  return range;
}

void region_table::unregister_mem(key wanted) {
  if (detail::is_forked_child()) return;  // called by destructors, which may go on
  auto [object, guard] = impl_->regions.lock(wanted);
  impl_->settle(*object);
  for (int space = 0; space < n_spaces(); ++space) impl_->copies.remove(*object, space_id{space});
  const bool reserved = object->reserved;
  const std::size_t bytes = object->bytes;
  impl_->regions.remove(*object);
  // After the removal, since the system may hand the same addresses out again at once.
  if (reserved) detail::release_range(const_cast<void*>(wanted), bytes);
}

std::size_t region_table::size_of(key wanted) const {
  const region& object = impl_->regions.find(wanted);
  const std::size_t bytes = object.bytes;
  impl_->regions.check(object, wanted);
  return bytes;
}

space_id region_table::placement_of(key wanted) const {
  const region& object = impl_->regions.find(wanted);
  const space_id placement{object.placement.load(std::memory_order_acquire)};
  impl_->regions.check(object, wanted);
  return placement;
}

void* region_table::mem_addr(key wanted, space_id space) const {
  const region& object = impl_->regions.find(wanted);
  impl_->copies.check_space(space);
  void* address = object.address_in(space);
  impl_->regions.check(object, wanted);
  return address;
}

bool region_table::is_allocated(key wanted, space_id space) const {
  return mem_addr(wanted, space) != nullptr;
}

void* region_table::alloc(key wanted, space_id space) {
  impl_->copies.check_space(space);
  auto [object, guard] = impl_->regions.lock(wanted);
  return impl_->copies.add(*object, space).address;
}

void region_table::adopt(key wanted, space_id space, void* address) {
  impl_->copies.check_space(space);
  auto [object, guard] = impl_->regions.lock(wanted);
  impl_->copies.adopt(*object, space, address);
}

void region_table::impl::check_dealloc(const region& of, space_id space) const {
  const auto refuse = [&](const std::string& why) {
    throw usage_error{fmt::format("{}: dealloc in {}: {}", name_of(of), copies.name_of(space), why)};
  };
  if (of.address_in(space) == nullptr) refuse("it is not allocated there (was it deallocated twice?)");
  if (space == host_space && !of.reserved) {
    refuse("the host memory of a registered region belongs to the program; unregister_mem lets go of it");
  }
  if (of.placement != space) return;
  if (!of.reserved) refuse("it is placed there; migrate it to another space first");
  for (int other = 0; other < transfers.n_spaces(); ++other) {
    if (other != space && of.address_in(space_id{other}) != nullptr) {
      refuse(fmt::format("it is placed there and has a copy in {}; migrate it there first",
                         copies.name_of(space_id{other})));
    }
  }
}

void region_table::impl::unplace(region& of, space_id space) {
  if (of.placement == space) of.placement = -1;
}

void region_table::dealloc(key wanted, space_id space) {
  impl_->copies.check_space(space);
  auto [object, guard] = impl_->regions.lock(wanted);
  impl_->check_dealloc(*object, space);
  impl_->settle(*object);
  impl_->unplace(*object, space);
  impl_->copies.remove(*object, space);
}

event region_table::dealloc_async(key wanted, space_id space, stream_handle stream) {
  if (space == host_space) {
    dealloc(wanted, space);
    return {};
  }
  impl_->copies.check_space(space);
  auto [object, guard] = impl_->regions.lock(wanted);
  impl_->check_dealloc(*object, space);
  const in_flight* fence = impl_->fence(*object, impl_->transfers.device_of(space));
  // The caller's event comes last: once it is done, so is the one that frees the memory.
  event ours = impl_->transfers.mark(space, stream, fence);
  event for_caller = impl_->transfers.mark(space, stream, fence);
  impl_->copies.remove_later(*object, space, std::move(ours));
  impl_->unplace(*object, space);
  return for_caller;
}

void region_table::migrate(key wanted, space_id to) {
  impl_->copies.check_space(to);
  const region& seen = impl_->regions.find(wanted);
  if (seen.placement.load(std::memory_order_acquire) == to && !seen.busy.load(std::memory_order_acquire)) {
    return impl_->regions.check(seen, wanted);
  }
  auto [object, guard] = impl_->regions.lock(wanted);
  impl_->settle(*object);
  const space_id from{object->placement};
  if (from == to) return;
  detail::new_copy fresh{impl_->copies, *object, to};
  if (from != space_id{}) impl_->transfer(impl_->in(*object, from), impl_->in(*object, to), object->bytes);
  fresh.keep();
  object->placement.store(to, std::memory_order_release);
}

event region_table::migrate_async(key wanted, space_id to, stream_handle stream) {
  impl_->copies.check_space(to);
  auto [object, guard] = impl_->regions.lock(wanted);
  const space_id from{object->placement};
  if (from == to) {
    impl_->settle(*object);
    return {};
  }
  detail::new_copy fresh{impl_->copies, *object, to};
  event done;
  if (from != space_id{}) {
    const in_flight* fence = impl_->fence(*object, impl_->in_question(from, to));
    auto started = impl_->transfers.copy_async(impl_->in(*object, from), impl_->in(*object, to),
                                               object->bytes, stream, fence);
    impl_->keep(*object, std::move(started.kept));
    done = std::move(started.for_caller);
  }
  fresh.keep();
  object->placement.store(to, std::memory_order_release);
  return done;
}

void* region_table::impl::address_in(const region& of, space_id space) const {
  if (void* address = of.address_in(space)) return address;
  throw usage_error{fmt::format("{}: copying needs it in {}, where it is not allocated; alloc it there first",
                                name_of(of), copies.name_of(space))};
}

void region_table::copy(key wanted, space_id from, space_id to) {
  impl_->copies.check_space(from);
  impl_->copies.check_space(to);
  auto [object, guard] = impl_->regions.lock(wanted);
  const location source{from, impl_->address_in(*object, from)};
  const location target{to, impl_->address_in(*object, to)};
  impl_->settle(*object);
  if (from != to) impl_->transfer(source, target, object->bytes);
}

event region_table::copy_async(key wanted, space_id from, space_id to, stream_handle stream) {
  impl_->copies.check_space(from);
  impl_->copies.check_space(to);
  auto [object, guard] = impl_->regions.lock(wanted);
  const location source{from, impl_->address_in(*object, from)};
  const location target{to, impl_->address_in(*object, to)};
  if (from == to) {
    impl_->settle(*object);
    return {};
  }
  const in_flight* fence = impl_->fence(*object, impl_->in_question(from, to));
  auto started = impl_->transfers.copy_async(source, target, object->bytes, stream, fence);
  impl_->keep(*object, std::move(started.kept));
  return std::move(started.for_caller);
}

void region_table::impl::transfer(location from, location to, std::size_t bytes) {
  if (!observer) return transfers.copy(from, to, bytes);
  const ticks began = now();
  transfers.copy(from, to, bytes);
  observer({.from = from.space, .to = to.space, .bytes = bytes, .began = began, .ended = now()});
}

void region_table::observe_transfers(std::function<void(const transfer_seen&)> observer) {
  impl_->observer = std::move(observer);
}

std::vector<transfer_count> region_table::transfers() const { return impl_->transfers.counts(); }

}  // namespace yoke
