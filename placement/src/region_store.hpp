#pragma once
/// The regions of one runtime with their copies, and the order of copies and kernels on them: what
/// region_table, the free functions and placed objects stand on.

#include "copies.hpp"
#include "region_registry.hpp"
#include "transfer_engine.hpp"
#include "waits.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include <yoke/detail/shared_table.hpp>

namespace yoke::detail {

class region_store final : public versions::worker {
 public:
  explicit region_store(std::span<device* const> devices);
  /// Frees every copy that it allocated.
  ~region_store();
  region_store(const region_store&) = delete;
  region_store& operator=(const region_store&) = delete;

  /// This object; null once it has ended. For those who may live longer.
  using life = std::shared_ptr<const std::atomic<region_store*>>;
  life alive() const { return alive_; }

  /// "Here" is the space of the calling one of `units`; from now on other runtimes find the keys. Before
  /// regions are added. `units` end before this object.
  void serve(const compute_units& units);
  const compute_units* units() const { return units_; }
  /// The calling CU; no CU outside of parallel regions, and where the units are not the current ones.
  caller calling() const;
  /// The space of the calling CU; the host's outside of parallel regions. Errors: usage_error where another
  /// runtime's CU calls.
  space_id here(const caller& by) const;

  transfer_engine& transfers() { return transfers_; }
  shared_table& table() { return versions_; }
  region_registry& regions() { return regions_; }
  copies& all_copies() { return copies_; }
  /// From now on the program may touch the host's copy of a region only where that has its bytes. Before
  /// regions are added.
  void guard_host_copies() { regions_.guard_host_copies(); }
  void observe(std::function<void(const transfer_seen&)> observer) { observer_ = std::move(observer); }

  region_store* next_living = nullptr;  ///< see living_stores.hpp

  // What region_table promises, for whoever knows the region. `by` is who asks.

  region& add(const void* start, std::size_t bytes, const region_label& label = {});
  region& reserve(std::size_t bytes, const region_label& label = {});
  void unregister(region_ref of, const caller& by);
  space_id placement_of(region_ref of) const {
    const space_id placement{of.object->placement.load(std::memory_order_acquire)};
    regions_.check(of);
    return placement;
  }
  /// Whether it has nothing to wait for or to note: a write where it is placed there, nothing is under way
  /// and no copies are for reading; a read also of a copy that is there.
  bool is_quiet_in(region_ref of, space_id space, access how) const {
    const bool quiet = (of.object->placement.load(std::memory_order_acquire) == space &&
                        !of.object->busy.load(std::memory_order_acquire)) ||
                       (how == access::read && space < 64 &&
                        (of.object->readable.load(std::memory_order_acquire) >> int{space} & 1) != 0);
    regions_.check(of);
    return quiet;
  }
  void* mem_addr(region_ref of, space_id space) const;
  void* alloc(region_ref of, space_id space);
  void adopt(region_ref of, void* address, space_id space);
  void dealloc(region_ref of, space_id space, const caller& by);
  event dealloc_async(region_ref of, space_id space, const caller& by);
  void migrate(region_ref of, space_id to, const caller& by);
  void migrate_discarding(region_ref of, space_id to, const caller& by);
  event migrate_async(region_ref of, space_id to, const caller& by);
  void copy(region_ref of, space_id from, space_id to, const caller& by);
  void copy_bytes(location from, location to, std::size_t bytes);
  event copy_async(region_ref of, space_id from, space_id to, const caller& by);
  /// Brings the region to `space`, where `by` is if it has a device, and gives its address there, which
  /// kernels of that unit may use until the unit next waits for its stream.
  void* lend_in(region_ref of, space_id space, access how, const caller& by);
  void* lend_here(region_ref of, access how, const caller& by) { return lend_in(of, here(by), how, by); }

  // All below: on a region that is locked.

  /// Makes `to` the placement, or a read copy that is current, so that what `by` does next with it has the
  /// bytes and overlaps nothing that it must not. With `at_once` all has happened on return, and a failure
  /// leaves everything as before. Else a copy between the host and the device of by.stream is queued there,
  /// and any other on a stream of the table's, which come_after waits for.
  /// Errors: out_of_memory, device_error; usage_error when a region without bytes is read.
  void bring(region& of, space_id to, access how, const caller& by, bool at_once);
  /// The same without waiting for what uses a copy that is there. Nothing where nothing had to be copied.
  std::optional<event> start(region& of, space_id to, access how, const caller& by, bool at_once);
  /// What `by` does next with the copy in `space` comes after all that it must not overlap.
  void come_after(region& of, space_id space, access how, const caller& by);
  bool is_there(const region& of, space_id space, access how) {
    return of.placement == space || (how == access::read && versions_->holds(of.piece, space));
  }
  /// What `by`, a GPU unit, has queued by now.
  std::shared_ptr<queued_work> queued(const caller& by);
  /// A kernel with this access to the copy in by.unit's space is what was queued last.
  void launched(region& of, access how, const caller& by, const versions::mark_ptr& work);

  /// Waits for all that uses the region, then forgets it. With `whatever_happens` an error of a device does
  /// not stop that.
  void remove(region& of, const caller& by, bool whatever_happens);
  /// After each change of the region: what others may know of it without a lock, and may do with the host's
  /// copy.
  void publish(region& of);
  /// Errors: usage_error where the program has written to that without having asked.
  void check_host(const region& of) const;
  /// Somebody is about to tell the table of work on its copy in `space`, which is there on return, and so is
  /// the host's where the bytes come through that. -1: it needs no memory.
  void prepare_for_work(region& of, space_id space);
  void await(const versions::mark_ptr& what) override { wait_here(what); }
  /// Work of other workers that a call with that access comes after.
  versions::marks others_at(const region& of, access how);
  /// Locks the region for a call that reads or changes it, when no other worker's work is under way that the
  /// call comes after: nobody waits for such work under the lock, since whoever ends it may have to tell of
  /// more.
  std::unique_lock<std::mutex> lock(region_ref of, access how);
  /// The same for the end of a region, which nobody looks up any more.
  std::unique_lock<std::mutex> lock_to_end(region& of);
  /// Whether bringing it is no matter of one queue: to a host thread, which needs it now, and between
  /// devices, where the first half happens at once anyway, and the second overlaps with it.
  bool goes_at_once(const region& of, space_id to, const caller& by) const {
    return by.dev == nullptr || transfers_.goes_by_host(space_id{of.placement}, to);
  }

 private:
  location in(const region& of, space_id space) const { return {space, of.address_in(space)}; }
  /// Errors: usage_error where there is no copy.
  void check_existing(const region& of, space_id space) const;
  /// The device that a transfer is queued on: the destination's, where that is the host the source's.
  device* in_question(space_id from, space_id to) const {
    return transfers_.device_of(to == host_space ? from : to);
  }
  event transfer(region& of, space_id from, space_id to, const caller& by, bool at_once);
  event copy_existing(region& of, space_id from, space_id to, const caller& by, bool at_once);
  /// Throws the error, once: a region that is broken is taken as it is from here on.
  [[noreturn]] void tell(const region& of, const std::exception_ptr& error);
  /// What has been thrown, if anything.
  std::exception_ptr wait_here(const versions::mark_ptr& work);
  /// Whether the mark is queued work of this one's.
  bool is_own(const versions::mark& work) const { return work.by() == this; }
  template <class Lock>
  std::unique_lock<std::mutex> lock_behind_others(region& of, access how, const Lock& lock);
  /// Whether it is a kernel of the caller's stream that nobody needs to ask about.
  bool is_own_and_may_run(const queued_work& work, const waits& before, const caller& by) const;
  void wait_for(region& of, space_id space, access how, const caller& by, waits& before);
  /// Where checks are on, what the program may do with the host's copy.
  void guard_host(const region& of);
  std::string why_guarded(const region& of, rights now) const;
  /// Of an end of a copy between addresses. Errors: usage_error where the host's bytes are guarded.
  void check_host_range(const location& end, std::size_t bytes, bool writes) const;
  void check_dealloc(const region& of, space_id space) const;
  void lost_copy(region& of, space_id space);
  void wait_for_loans(const region& of, space_id space, access how, const caller& by, waits& before) const;
  void wait_for_all(region& of, const caller& by, bool whatever_happens);
  /// It is written in `to` from here on.
  void place(region& of, space_id to);

  std::shared_ptr<std::atomic<region_store*>> alive_;
  transfer_engine transfers_;
  shared_table versions_;
  region_registry regions_;
  copies copies_;
  const compute_units* units_ = nullptr;
  bool units_share_devices_ = false;
  std::function<void(const transfer_seen&)> observer_;  ///< empty: nobody asks, and no clock is read
};

}  // namespace yoke::detail
