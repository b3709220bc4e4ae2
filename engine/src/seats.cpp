// Who does the work of seats.
#include "engine_core.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::flow {

void sit_on_new_threads(int n_seats, const std::function<void(int)>& sit) {
  std::vector<std::jthread> all;
  for (int i = 0; i < n_seats; ++i) all.emplace_back([&sit, i] { sit(i); });
}

std::exception_ptr engine_core::run_on_seat(const run_of_plan& run) const {
  try {
    const at_work here{*this};
    run.what->run({nullptr, {}, host_space, run.addresses});
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void engine_core::end_work(const work_ptr& what, const std::exception_ptr& error, table_guard& table) {
  error == nullptr ? all_.end(what) : all_.fail(what, error);
  wake_who_sleeps_for(what);
  note_ended();
  may_start_ = true;
  has_changed();
  table.unlock();
  start_what_can();
  table.lock();
}

void engine_core::do_on_seat(const work_ptr& what, table_guard& table) noexcept {
  const auto& run = *static_cast<const run_of_plan*>(what->plan());
  const auto& goes_on = run.what->goes_on;
  table.unlock();
  std::exception_ptr error = run_on_seat(run);
  while (error == nullptr && goes_on && goes_on(what->is_awaited())) error = run_on_seat(run);
  table.lock();
  end_work(what, error, table);
}

bool engine_core::has_to_act(int seat) const {
  return seats_[static_cast<std::size_t>(seat)].next != nullptr || all_.has_next(lane_id{seat}) || gets_up();
}

/// Until it has to act; false where it had not for as long as it stays. Spins before it sleeps.
bool engine_core::wait_on(int seat, table_guard& table) {
  seat_state& mine = seats_[static_cast<std::size_t>(seat)];
  const ticks from = now();
  while (!has_to_act(seat)) {
    see_to_host();
    const std::uint64_t seen = mine.news;
    const auto news = [&] { return mine.news.load(std::memory_order_relaxed) != seen; };
    table.unlock();
    const bool has_news = detail::spin_until(news);
    table.lock();
    if (has_news) continue;
    mine.is_asleep = true;
    const bool is_woken = mine.wakes.wait_for(table, std::chrono::duration<double>{stay_}, news);
    mine.is_asleep = false;
    if (!is_woken && elapsed(from, now()) >= stay_) return has_to_act(seat);
  }
  return true;
}

void engine_core::wake(seat_state& seat) {
  ++seat.news;
  if (seat.is_asleep) seat.wakes.notify_one();
}

void engine_core::wake_all() {
  for (seat_state& each : seats_) wake(each);
  wake(host_);
  has_changed();
}

/// Whose next work has not begun, for they wait for devices where that does.
void engine_core::wake_those_who_follow() {
  for (int seat = 0; seat < n_seats_; ++seat)
    if (seat_state& each = seats_[static_cast<std::size_t>(seat)];
        !each.is_busy && each.next == nullptr && all_.has_next(lane_id{seat}))
      wake(each);
  if (!host_.is_busy && has_to_act_on_host()) wake(host_);
}

/// Does what is begun on its seat, and waits for devices where its next work does.
void engine_core::sit(int number) {
  sits_at = this;
  table_guard table{table_lock_};
  seat_state& mine = seats_[static_cast<std::size_t>(number)];
  while (true) {
    mine.is_busy = mine.computes = false;
    if (!wait_on(number, table)) {
      gets_up_ = !is_busy_on_seats();
      if (gets_up_) wake_all();
      continue;
    }
    if (gets_up() && (mine.next == nullptr || n_guests_ > 0)) {  // what has begun waits until they have gone
      sits_at = nullptr;
      return;
    }
    mine.is_busy = true;
    mine.computes = mine.next != nullptr;
    if (mine.computes) see_to_host();
    mine.next != nullptr ? do_on_seat(std::exchange(mine.next, nullptr), table)
                         : go_on(all_.next_of(lane_id{number}), table);
  }
}

void engine_core::take_cpus() {
  refuse_in_work("a run", "started");
  table_guard table{table_lock_};
  std::vector<work_ptr> last(static_cast<std::size_t>(n_seats_));
  for (const work_ptr& each : told_)
    if (is_seat(each->lane())) last[static_cast<std::size_t>(int{each->lane()})] = each;
  for (const work_ptr& each : last)
    while (each != nullptr && each->is_under_way()) go_on(each, table);
  ++n_guests_;
  for (const work_ptr& each : told_)
    if (is_seat(each->lane())) each->await();  // what has begun meanwhile
  wake_all();
}

void engine_core::give_cpus_back() {
  const table_guard table{table_lock_};
  --n_guests_;
  wake_all();
}

bool engine_core::keep_down() {
  const table_guard table{table_lock_};
  if (n_keeping_ == 0 && (n_guests_ > 0 || gets_up_ || is_closing_)) return false;
  ++n_keeping_;
  return true;
}

void engine_core::let_go() {
  const table_guard table{table_lock_};
  --n_keeping_;
  wake_all();
}

bool engine_core::has_given_cpus() {
  const table_guard table{table_lock_};
  return n_guests_ > 0;
}

/// The caller has the CPUs.
void engine_core::refuse_without_seats(const work_ptr& for_whom) const {
  const versions::mark_ptr first = all_.held_up_by(for_whom);
  if (first == nullptr || first->by() != this) return;
  const auto& holds = static_cast<const work&>(*first);
  const bool has_seat =
      !is_seat(holds.lane()) || seats_[static_cast<std::size_t>(int{holds.lane()})].next == nullptr;
  if (has_seat && !is_team(holds.lane())) return;
  throw usage_error{
      fmt::format("{} is waited for in a run, and {} waits for the CPUs that the run has; wait for it before "
                  "the run",
                  for_whom->name(), holds.name())};
}

bool engine_core::has_begun_on_seat() const {
  return std::ranges::any_of(seats_, [](const seat_state& each) { return each.next != nullptr; });
}

bool engine_core::is_busy_on_seats() const {
  return has_begun_on_seat() || waiting_for_seat() != nullptr ||
         std::ranges::any_of(seats_, &seat_state::is_busy);
}

work_ptr engine_core::waiting_for_seat() const {
  for (int i = 0; i < n_seats_; ++i)
    if (work_ptr first = all_.next_of(lane_id{i}); first != nullptr) return first;
  return nullptr;
}

/// Nobody has sat down for what is begun.
void engine_core::fail_on_seats(const std::exception_ptr& error, table_guard& table) {
  for (seat_state& each : seats_)
    if (const work_ptr next = std::exchange(each.next, nullptr); next != nullptr) all_.fail(next, error);
  note_ended();
  may_start_ = true;
  has_changed();
  table.unlock();
  start_what_can();
  table.lock();
}

/// Has seats taken whenever one has work; what none has begun yet it waits for by itself.
void engine_core::keep_seats() noexcept {
  table_guard table{table_lock_};
  while (true) {
    ++n_asleep_;
    changed_.wait(table, [this] {
      return (has_begun_on_seat() && n_guests_ == 0) ||
             (!has_begun_on_seat() && waiting_for_seat() != nullptr) || (is_closing_ && !has_begun_on_seat());
    });
    --n_asleep_;
    if (has_begun_on_seat()) {
      gets_up_ = false;
      table.unlock();
      std::exception_ptr error;
      try {
        threads_(n_seats_, [this](int seat) { sit(seat); });
      } catch (...) {
        error = std::current_exception();
      }
      table.lock();
      if (error != nullptr) fail_on_seats(error, table);
    } else if (const work_ptr first = waiting_for_seat(); first != nullptr) {
      go_on(first, table);
    } else {
      return;
    }
  }
}

void engine_core::end_seats() noexcept {
  {
    const table_guard table{table_lock_};
    is_closing_ = true;
    wake_all();
    has_watched_.notify_one();
  }
  for (std::thread* const each : {&keeper_, &host_worker_, &watcher_})
    if (each->joinable()) each->join();
}

}  // namespace yoke::flow
