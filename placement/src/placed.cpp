#include "placed_handle.hpp"

#include <memory>

#include <yoke/endings.hpp>
#include <yoke/forks.hpp>

namespace yoke::detail {

region_store& placed_region::handle::store() const {
  if (region_store* found = alive->load(std::memory_order_acquire)) return *found;
  throw usage_error{
      name +
      ": the runtime that its placed object was made with has ended; keep the runtime while the "
      "object is used"};
}

namespace {

/// No region is empty: an object without values has one of a byte, which nobody sees. It begins on the host,
/// since there is nothing to be written before it is read.
constexpr std::size_t room_of_nothing = 1;

std::unique_ptr<placed_region::handle> own(region_store& store, region& object, std::size_t bytes) {
  const std::lock_guard guard{object.lock};
  object.of_placed = true;
  return std::make_unique<placed_region::handle>(
      placed_region::handle{store.alive(), {&object, object.start.load()}, bytes, name_of(object)});
}

/// Takes the region back where it cannot be owned.
template <class Add>
placed_region::handle* add_owned(region_store& store, std::size_t bytes, const Add& add) {
  region& object = add();
  try {
    std::unique_ptr<placed_region::handle> made = own(store, object, bytes);
    if (bytes == 0) store.migrate(made->region, host_space, {});
    return made.release();
  } catch (...) {
    const std::lock_guard guard{object.lock};
    store.remove(object, {}, true);
    throw;
  }
}

}  // namespace

placed_region::placed_region(region_table& regions, const void* start, std::size_t bytes,
                             const region_label& label) {
  region_store& store = store_of(regions);
  handle_ = add_owned(store, bytes, [&]() -> region& {
    return bytes > 0 ? store.add(start, bytes, label) : store.reserve(room_of_nothing, label);
  });
}

placed_region::placed_region(region_table& regions, std::size_t bytes, const region_label& label) {
  region_store& store = store_of(regions);
  handle_ = add_owned(store, bytes,
                      [&]() -> region& { return store.reserve(bytes > 0 ? bytes : room_of_nothing, label); });
}

placed_region::~placed_region() {
  const std::unique_ptr<handle> mine{handle_};
  if (mine == nullptr || leaves_all()) return;  // a child has nothing to give back
  region_store* const store = mine->alive->load(std::memory_order_acquire);
  if (store == nullptr) return;
  try {
    const std::unique_lock guard = store->lock_to_end(*mine->region.object);
    store->remove(*mine->region.object, store->calling(), true);
  } catch (const usage_error&) {  // NOLINT(bugprone-empty-catch)
    // Work that uses it may not wait for itself: it has called exit(), and all stays as it is.
  }
}

const placed_region::handle& placed_region::get() const {
  refuse_in_forked_child();
  if (handle_ != nullptr) return *handle_;
  throw usage_error{
      "a placed object without a region was asked; it was moved from, or made without a runtime"};
}

key placed_region::start() const { return get().region.start; }
std::size_t placed_region::bytes() const noexcept { return handle_ == nullptr ? 0 : handle_->bytes; }
space_id placed_region::placement() const { return get().store().placement_of(get().region); }

void* placed_region::here(access how) const {
  const handle& mine = get();
  region_store& store = mine.store();
  return store.lend_here(mine.region, how, store.calling());
}

void* placed_region::on_host(access how) const {
  const handle& mine = get();
  region_store& store = mine.store();
  return store.lend_in(mine.region, host_space, how, {.unit = store.calling().unit});
}

void prefetch(const placed_region& wanted, access how, unit_id unit) {
  const placed_region::handle& mine = wanted.get();
  region_store& store = mine.store();
  if (store.units() == nullptr) throw usage_error{"prefetch: the region belongs to a table without units"};
  const space_id to = store.units()->at(unit).space;
  const auto guard = store.lock(mine.region, how);
  static_cast<void>(store.start(*mine.region.object, to, how, {.unit = store.calling().unit}, false));
}

}  // namespace yoke::detail
