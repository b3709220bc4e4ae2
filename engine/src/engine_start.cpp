// Who starts work, and what happens when it is through.
#include "engine_core.hpp"

#include <algorithm>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::flow {

namespace {

device_failure kind_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const device_error& failure) {
    return failure.failure();
  } catch (...) {
    return device_failure::other;
  }
}

/// The error of `call`; null where it works. What may succeed when it is called again is called again.
template <class Call>
std::exception_ptr error_of(const Call& call) {
  while (true) {
    try {
      call();
      return nullptr;
    } catch (const device_error& failure) {
      if (failure.failure() != device_failure::retryable) return std::current_exception();
    } catch (...) {
      return std::current_exception();
    }
  }
}

}  // namespace

void engine_core::has_changed() {
  ++n_changes_;
  changed_.notify_all();
}

/// One thread at a time: work of a queue starts in the order in which it has begun. Who finds another one at
/// it leaves it to that.
void engine_core::start_what_can() {
  while (may_start_) {
    const std::unique_lock starting{starting_, std::try_to_lock};
    if (!starting) return;
    table_guard table{table_lock_};
    if (++n_starts_ % starts_between_looks == 0) look_at_queues(table);
    may_start_ = false;
    while (const auto next = all_.begin_next()) start(*next, table);
    note_failed();
    has_changed();
  }
}

void engine_core::start(const dispatcher::start& next, table_guard& table) {
  const lane_id on = next.what->lane();
  if (is_host(on)) return all_.end(next.what);
  if (is_seat(on)) {
    seats_[static_cast<std::size_t>(int{on})].next = next.what;
    return has_changed();
  }
  queue_state& to = queue_at(on);
  to.started.push_back(next.what);
  const std::vector<box_copy> copies =
      next.what->brings() != nullptr ? copies_of(*next.what->brings()) : std::vector<box_copy>{};
  table.unlock();
  std::exception_ptr error;
  try {
    give(*to.of, next, copies);
  } catch (...) {
    error = std::current_exception();
  }
  table.lock();
  if (error != nullptr) {
    // Known to have failed before anybody can find that the queue is through with it.
    all_.spoil(next.what, error);
    note_failure(error, *to.of);
    table.unlock();
    to.of->start(next.what->number(), [](stream_handle) {});
    table.lock();
  }
  has_changed();
}

void engine_core::give(queue& to, const dispatcher::start& next, std::span<const box_copy> copies) {
  std::vector<event_handle> before;  // asked for first: a queue's lock is the last that is taken
  for (const versions::mark_ptr& each : next.behind) {
    const auto& other = static_cast<const work&>(*each);
    if (const auto point = queue_at(other.lane()).of->behind_what_there_is(other.number()))
      before.push_back(point->event);
  }
  to.start(next.what->number(), [&](stream_handle stream) {
    for (const event_handle each : before) to.dev().wait(stream, each);
    for (const box_copy& each : copies) to.dev().copy_box(stream, each);
    if (next.what->brings() != nullptr) return;
    const auto& run = *static_cast<const run_of_plan*>(next.what->plan());
    const at_work here{*this};
    run.what->run({&to.dev(), stream, memory_of(next.what->lane()), run.addresses});
  });
}

std::vector<box_copy> engine_core::copies_of(const transfer& what) const {
  const auto kind = what.from == host_space ? copy_kind::host_to_device
                    : what.to == host_space ? copy_kind::device_to_host
                                            : copy_kind::device_to_device;
  std::vector<box_copy> all;
  for (const versions::piece each : what.pieces)
    all.push_back({.to = address(each, what.to),
                   .from = address(each, what.from),
                   .bytes = pieces_[static_cast<std::size_t>(int{each})].bytes,
                   .kind = kind});
  return all;
}

void engine_core::look_at_queues(table_guard& table) {
  for (queue_state& each : queues_)
    if (!each.started.empty()) ask(each, table, [&] { return each.of->look(); });
}

/// Whether something has come of it; one thread at a time may. An error is that of all that has started.
template <class Ask>
bool engine_core::ask(queue_state& of, table_guard& table, const Ask& how_far) {
  if (of.is_watched) return false;
  of.is_watched = true;
  table.unlock();
  std::optional<queue::point> point;
  const std::exception_ptr error = error_of([&] { point = how_far(); });
  std::uint64_t number = point ? point->number : 0;
  if (error != nullptr) number = of.of->drain();
  of.of->forget(number);
  table.lock();
  of.is_watched = false;
  if (number > 0) pass(of, number, error);
  return number > 0;
}

void engine_core::pass(queue_state& of, std::uint64_t number, const std::exception_ptr& error) {
  work_ptr last;
  for (; !of.started.empty() && of.started.front()->number() <= number; of.started.pop_front()) {
    last = std::move(of.started.front());
    if (error != nullptr) all_.fail(last, error);
  }
  if (error == nullptr && last != nullptr) all_.end(last);
  if (error != nullptr) note_failure(error, *of.of);
  note_failed();
  may_start_ = true;
  has_changed();
}

void engine_core::note_failed() {
  for (work_ptr& each : all_.take_failed()) untold_.push_back(std::move(each));
}

void engine_core::note_failure(const std::exception_ptr& error, const queue& of) {
  if (kind_of(error) != device_failure::lost) return;
  const auto device = std::ranges::find(devices_, &of.dev());
  all_.lose(space_id{static_cast<int>(device - devices_.begin()) + 1}, error);
  may_start_ = true;
}

/// Until something has changed that `for_whom` may have waited for.
void engine_core::go_on(const work_ptr& for_whom, table_guard& table) {
  const std::uint64_t seen = n_changes_;
  const work_ptr first = all_.held_up_by(for_whom);
  if (first == nullptr) {
    may_start_ = true;
    table.unlock();
    start_what_can();
    table.lock();
  } else if (!is_seat(first->lane())) {
    queue_state& of = queue_at(first->lane());
    const bool has_asked = ask(of, table, [&] {
      const std::optional<queue::point> point = of.of->behind(first->number());
      if (point) of.of->dev().synchronize(point->event);
      return point;
    });
    if (has_asked) {
      table.unlock();
      start_what_can();
      table.lock();
    }
  }
  changed_.wait(table, [&] { return n_changes_ != seen; });
}

// Seats.

void engine_core::do_on_seat(const work_ptr& what, table_guard& table) noexcept {
  const auto& run = *static_cast<const run_of_plan*>(what->plan());
  table.unlock();
  std::exception_ptr error;
  try {
    const at_work here{*this};
    run.what->run({nullptr, {}, host_space, run.addresses});
  } catch (...) {
    error = std::current_exception();
  }
  table.lock();
  error == nullptr ? all_.end(what) : all_.fail(what, error);
  note_failed();
  may_start_ = true;
  has_changed();
  table.unlock();
  start_what_can();
  table.lock();
}

/// Does what is begun on its seat, and waits for devices where its next work does.
void engine_core::sit(int number, const std::function<void()>& enter) {
  if (enter) enter();
  table_guard table{table_lock_};
  work_ptr& next = seats_[static_cast<std::size_t>(number)].next;
  const auto waiting = [&] { return all_.next_of(lane_id{number}); };
  while (true) {
    changed_.wait(table, [&] { return next != nullptr || waiting() != nullptr || is_closing_; });
    if (next != nullptr) {
      do_on_seat(std::exchange(next, nullptr), table);
    } else if (const work_ptr first = waiting(); first != nullptr) {
      go_on(first, table);
    } else {
      return;
    }
  }
}

}  // namespace yoke::flow
