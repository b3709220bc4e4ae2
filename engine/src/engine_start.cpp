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
  if (n_asleep_ > 0) changed_.notify_all();
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
    do {
      while (const auto next = all_.begin_next()) start(*next, table);
      note_ended();
    } while (call_when_over(table));
    drop_over();
    wake_those_who_follow();
    has_changed();
  }
}

void engine_core::start(const dispatcher::start& next, table_guard& table) {
  const lane_id on = next.what->lane();
  if (is_host(on) && !does_something(*next.what)) return all_.end(next.what);
  if (is_host(on)) return start_on_host(next.what, table);
  if (is_seat(on)) {
    seat_state& seat = seats_[static_cast<std::size_t>(int{on})];
    seat.next = next.what;
    wake(seat);
    return has_changed();
  }
  if (is_team(on)) return start_for_team(next.what, table);
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
    note_failure(error, on);
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
  const auto* const told =
      next.what->brings() == nullptr ? static_cast<const run_of_plan*>(next.what->plan()) : nullptr;
  const auto run = [&](stream_handle stream) {
    for (const event_handle each : before) to.dev().wait(stream, each);
    for (const box_copy& each : copies) to.dev().copy_box(stream, each);
    if (told == nullptr) return;
    const at_work here{*this};
    told->what->run({&to.dev(), stream, memory_of(next.what->lane()), told->addresses});
  };
  to.start(next.what->number(), run, told != nullptr && told->what->marks_end);
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
  if (of.is_watched) {
    of.is_wanted = true;
    return false;
  }
  of.is_watched = true;
  table.unlock();
  std::optional<queue::point> point;
  const std::exception_ptr error = error_of([&] { point = how_far(); });
  std::uint64_t number = point ? point->number : 0;
  if (error != nullptr) number = of.of->drain();
  of.of->forget(number);
  table.lock();
  of.is_watched = false;
  if (std::exchange(of.is_wanted, false)) has_changed();
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
  if (error != nullptr && last != nullptr) note_failure(error, last->lane());
  note_ended();
  may_start_ = true;
  has_changed();
}

void engine_core::note_ended() {
  for (work_ptr& each : all_.take_failed())
    if (!each->says_end()) untold_.push_back(std::move(each));
  for (work_ptr& each : all_.take_ended()) over_.push_back(std::move(each));
}

/// Whether there was something to be told.
bool engine_core::call_when_over(table_guard& table) {
  if (over_.empty()) return false;
  const work_ptr next = std::move(over_.front());
  over_.pop_front();
  const std::exception_ptr error = next->error();
  if (error != nullptr) tell(error);
  ++n_telling_;
  table.unlock();
  // Work of the team may be over on a thread that still does other work: who hears of it may tell of more.
  const engine_core* const outer = std::exchange(runs_for, nullptr);
  static_cast<const run_of_plan*>(next->plan())->when_over(error);
  runs_for = outer;
  table.lock();
  --n_telling_;
  has_changed();
  return true;
}

void engine_core::note_failure(const std::exception_ptr& error, lane_id on) {
  if (kind_of(error) != device_failure::lost) return;
  all_.lose(memory_of(on), error);
  may_start_ = true;
}

/// Waits for that, unless it is for others to wait for it or to say that it is over. What goes on at the host
/// is asked by who waits for it.
bool engine_core::is_through(const versions::mark_ptr& what, table_guard& table) {
  if (what->by() != this) {
    table.unlock();
    what->by()->await(what);
    table.lock();
    return true;
  }
  const auto& own = static_cast<const work&>(*what);
  if (has_thread(own)) return false;
  if (is_host(own.lane())) return asks_who_waits() && going_ == what && ask_on_host(true, table);
  queue_state& of = queue_at(own.lane());
  return ask(of, table, [&] {
    const std::optional<queue::point> point = of.of->behind(own.number());
    if (point) of.of->dev().synchronize(point->event);
    return point;
  });
}

/// What has a thread is brought to its end by that, with all that it waits for: who looked at each change
/// meanwhile would take the table from those who work, and maybe their CPU.
void engine_core::sleep_until_over(const work_ptr& what, table_guard& table) {
  what->await();
  slept_for_.push_back(what.get());
  // Not everything that can end work says so: what fails with something else just does.
  constexpr std::chrono::milliseconds between_looks{1};
  while (what->is_under_way()) {
    may_start_ = true;
    table.unlock();
    start_what_can();
    table.lock();
    is_over_.wait_for(table, between_looks, [&] { return !what->is_under_way(); });
  }
  slept_for_.erase(std::ranges::find(slept_for_, what.get()));
}

void engine_core::wake_who_sleeps_for(const work_ptr& what) {
  if (std::ranges::find(slept_for_, what.get()) != slept_for_.end()) is_over_.notify_all();
}

/// Until something has changed that `for_whom` may have waited for.
void engine_core::go_on(const work_ptr& for_whom, table_guard& table) {
  const std::uint64_t seen = n_changes_;
  for_whom->await();
  const versions::mark_ptr first = all_.held_up_by(for_whom);
  if (first == nullptr || is_through(first, table)) {
    may_start_ = true;
    table.unlock();
    start_what_can();
    table.lock();
  }
  wait_until([&] { return n_changes_ != seen; }, table);
}

}  // namespace yoke::flow
