/// How the bytes of a region get from space to space, in order with what else uses them.
#include "loans.hpp"
#include "region_store.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

void region_store::publish(region& of) {
  std::uint64_t readable = 0;
  {
    const auto table = versions_.lock();
    bool is_promised = false;
    table->for_each_promise(of.piece, [&](const versions::mark_ptr&) { is_promised = true; });
    if (of.guard == nullptr)  // each use looks at the host's bytes, too
      for (int space = 0; space < std::min(transfers_.n_spaces(), 64); ++space)
        readable |= std::uint64_t{!is_promised && table->is_whole_in(of.piece, space_id{space})} << space;
    of.placement.store(table->home_of(of.piece), std::memory_order_release);
    const bool is_broken = table->error_of(of.piece) != nullptr;
    of.busy.store(is_broken || !table->is_quiet(of.piece), std::memory_order_release);
    of.readable.store(readable, std::memory_order_release);
  }
  guard_host(of);
}

void region_store::place(region& of, space_id to) {
  if (of.guard != nullptr) of.guard->leave_to_program(false);
  versions_->begin({of.piece, to, access::write}, nullptr);
}

versions::marks region_store::others_at(const region& of, access how) {
  versions::marks all;
  const auto add = [&](const versions::mark_ptr& each) {
    if (!is_own(*each)) all.add(each);
  };
  const auto table = versions_.lock();
  table->for_each_promise(of.piece, add);
  for (int space = 0; space < transfers_.n_spaces(); ++space) {
    // What is read where the bytes are is no matter of another reader.
    const bool may_stay = how == access::read && table->holds(of.piece, space_id{space});
    table->for_each_before({of.piece, space_id{space}, may_stay ? access::read : access::write}, add);
  }
  return all;
}

template <class Lock>
std::unique_lock<std::mutex> region_store::lock_behind_others(region& of, access how, const Lock& lock) {
  while (true) {
    std::unique_lock<std::mutex> locked = lock();
    const versions::marks others = others_at(of, how);
    if (others.size() == 0) return locked;
    locked.unlock();
    for (const versions::mark_ptr& each : others) wait_here(each);
  }
}

std::unique_lock<std::mutex> region_store::lock(region_ref of, access how) {
  return lock_behind_others(*of.object, how, [&] { return regions_.lock(of); });
}

std::unique_lock<std::mutex> region_store::lock_to_end(region& of) {
  return lock_behind_others(of, access::write, [&] { return std::unique_lock{of.lock}; });
}

std::exception_ptr region_store::wait_here(const versions::mark_ptr& work) {
  if (!is_own(*work)) {
    work->by()->await(work);
    const auto table = versions_.lock();
    return work->error();
  }
  std::exception_ptr error;
  try {
    work_of(work).done.wait();
  } catch (...) {
    error = std::current_exception();
  }
  {
    const auto table = versions_.lock();
    error == nullptr ? work->end() : work->fail(error);
  }
  transfers_.free_staging();
  return error;
}

void region_store::prepare_for_work(region& of, space_id space) {
  check_host(of);
  const space_id home{of.placement};
  if (space != space_id{}) copies_.add(of, space);
  if (space != space_id{} && home > host_space && transfers_.goes_by_host(home, space))
    copies_.add(of, host_space);
  if (of.guard != nullptr) of.guard->open();
  waits nobody{queue{}};
  for (int other = 0; other < transfers_.n_spaces(); ++other)
    wait_for_loans(of, space_id{other}, access::write, {}, nobody);
}

bool region_store::is_own_and_may_run(const queued_work& work, const waits& before, const caller& by) const {
  return work.n_finished && by.unit != nullptr && work.on() == before.on() &&
         units_->times_finished(by.unit->id) <= *work.n_finished;
}

void region_store::wait_for_loans(const region& of, space_id space, access how, const caller& by,
                                  waits& before) const {
  if (units_ == nullptr) return;
  const auto gpus = units_->all().subspan(static_cast<std::size_t>(units_->shape().cpu_units));
  for (const compute_unit& unit : gpus) {
    if (unit.space != space || before.is_on(unit.stream) || !is_lent(of, *units_, unit, how)) continue;
    if (&unit != by.unit) {
      unit.dev->synchronize();  // its stream is for its own thread
    } else if (transfers_.device_of(space) == before.dev()) {
      before.add_stream(*unit.dev, unit.stream);
    } else {
      unit.dev->synchronize(unit.stream);
    }
  }
}

void region_store::wait_for(region& of, space_id space, access how, const caller& by, waits& before) {
  versions::marks all;
  std::exception_ptr error;
  {
    const auto table = versions_.lock();
    table->for_each_before({of.piece, space, how}, [&](const versions::mark_ptr& each) {
      if (!is_own(*each) || !is_own_and_may_run(work_of(each), before, by)) all.add(each);
    });
    error = table->error_of(of.piece);
  }
  for (const versions::mark_ptr& each : all) {
    if (!is_own(*each) || work_of(each).dev != before.dev() || work_of(each).done.done()) {
      const std::exception_ptr met = wait_here(each);
      if (error == nullptr) error = met;
    } else if (each->on() != before.on()) {
      before.add(each);
    }
  }
  if (error != nullptr) tell(of, error);
  wait_for_loans(of, space, how, by, before);
}

void region_store::tell(const region& of, const std::exception_ptr& error) {
  {
    const auto table = versions_.lock();
    if (table->home_of(of.piece) == space_id{})
      table->clear(of.piece);
    else if (table->error_of(of.piece) != nullptr)
      table->begin({of.piece, table->home_of(of.piece), access::write}, nullptr);
  }
  std::rethrow_exception(error);
}

void region_store::come_after(region& of, space_id space, access how, const caller& by) {
  waits before{queue{by.dev, by.dev == nullptr ? stream_handle{} : by.stream}};
  wait_for(of, space, how, by, before);
  before.before(by.stream);
  if (how == access::write && of.placement == space)
    versions_->begin({of.piece, space, access::write}, nullptr);
  publish(of);
}

void region_store::bring(region& of, space_id to, access how, const caller& by, bool at_once) {
  if (!start(of, to, how, by, at_once)) come_after(of, to, how, by);
}

std::optional<event> region_store::start(region& of, space_id to, access how, const caller& by,
                                         bool at_once) {
  const space_id from{of.placement};
  check_host(of);
  if (is_there(of, to, how)) return std::nullopt;
  if (from == space_id{} && how == access::read) {
    throw usage_error{
        fmt::format("{}: reading it in {}: nothing has been written to it yet; migrate it, or ask "
                    "for it to write, and fill it first",
                    name_of(of), copies_.name_of(to))};
  }
  new_copy fresh{copies_, of, to};
  std::optional<event> done;
  if (from != space_id{} && !versions_->holds(of.piece, to)) done = transfer(of, from, to, by, at_once);
  fresh.keep();
  if (how == access::write) place(of, to);
  publish(of);
  return done;
}

event region_store::transfer(region& of, space_id from, space_id to, const caller& by, bool at_once) {
  const bool opens = of.guard != nullptr && (from == host_space || to == host_space);
  at_once = at_once || opens;  // a copy that is queued would meet what is guarded from here on
  const queue on = at_once ? queue{} : queue_of(in_question(from, to), by);
  waits before{on};
  wait_for(of, from, access::read, by, before);
  wait_for(of, to, access::write, by, before);
  const location source{from, of.address_in(from)}, target{to, of.address_in(to)};
  event done;
  versions::mark_ptr work;
  const ticks began = observer_ ? now() : ticks{};
  if (opens) of.guard->open();
  if (at_once) {
    transfers_.copy(source, target, of.bytes);
  } else {
    auto started = transfers_.copy_async(source, target, of.bytes, on.stream, before);
    work = std::move(started.work);
    done = std::move(started.for_caller);
  }
  if (observer_) observer_({.from = from, .to = to, .bytes = of.bytes, .began = began, .ended = now()});
  versions_->copy(of.piece, from, to, work);
  return done;
}

std::shared_ptr<queued_work> region_store::queued(const caller& by) {
  auto work = transfers_.queued(by.unit->space, by.stream);
  work->n_finished = units_->times_finished(by.unit->id);
  return work;
}

void region_store::launched(region& of, access how, const caller& by, const versions::mark_ptr& work) {
  versions_->begin({of.piece, by.unit->space, how}, work);
  of.busy.store(true, std::memory_order_release);
  of.readable.store(0, std::memory_order_release);
}

void region_store::check_existing(const region& of, space_id space) const {
  if (of.address_in(space) != nullptr) return;
  throw usage_error{fmt::format("{}: copying needs it in {}, where it is not allocated; alloc it there first",
                                name_of(of), copies_.name_of(space))};
}

event region_store::copy_existing(region& of, space_id from, space_id to, const caller& by, bool at_once) {
  check_existing(of, from);
  check_existing(of, to);
  const caller host{.unit = by.unit};
  if (from == to) return come_after(of, to, access::read, host), event{};
  event done = transfer(of, from, to, by, at_once);
  // Elsewhere than at home the program may write to it, too.
  if (of.placement != to) versions_->forget(of.piece, to);
  if (of.guard != nullptr && to == host_space) of.guard->leave_to_program(true);
  publish(of);
  return done;
}

}  // namespace yoke::detail
