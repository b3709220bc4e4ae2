// Tasks of one seat as one piece of work of the engine.
#include "task_core.hpp"

#include <algorithm>
#include <utility>

#include <yoke/detail/spin.hpp>

namespace yoke::detail {

namespace {

/// visit(object, role) for each that it uses, until one says no.
template <class Visit>
bool for_all_objects(const task_record& of, const Visit& visit) {
  return std::ranges::all_of(of.uses, [&](const known_use& each) {
    return !each.is_object() || visit(std::pair<const void*, task_role>{each.key(), each.as});
  });
}

}  // namespace

bool task_core::may_have_streak(const task_record& one) {
  return one.is_task() && one.team() == nullptr && !one.commutes && !one.has_present;
}

void task_core::begin_streak(const task_record_ptr& one, const flow::order& where) {
  const auto streak = std::make_shared<seat_streak>();
  streak->now = one;
  for_all_objects(*one, [&](const auto& each) { return streak->objects.push_back(each), true; });
  const auto run_next = [this, streak](const flow::site& at) { run(*streak->now, at); };
  const auto more = [this, streak](const std::atomic<bool>& awaited) { return goes_on(*streak, awaited); };
  one->end = engine_.tell(
      engine_.lane_of(one->unit), host_space,
      std::make_shared<flow::plan>(flow::plan{one->name, run_next, false, more}), arguments_of(one->uses),
      where, [self = shared_from_this(), streak, on = one->unit](const std::exception_ptr& error) {
        self->end_streak(*streak, on, error);
      });
  streak->end = one->end;
}

/// The task has what it comes after behind it, and nobody finds out that it is no work of its own.
bool task_core::may_go_on_in(const seat_streak& streak, const task_record& next) const {
  if (streak.now != nullptr || streak.is_awaited->load(std::memory_order_relaxed)) return false;
  if (!may_have_streak(next) || next.doom() != nullptr) return false;
  const auto is_over = [](const task_record_ptr& each) { return each->is_over(); };
  const auto is_done = [](const task_record_ptr& each) { return each->is_over() && each->error == nullptr; };
  if (!std::ranges::all_of(next.after(), is_done) || !std::ranges::all_of(next.behind(), is_over))
    return false;
  std::size_t n = 0;
  const auto is_same = [&](const auto& each) {
    return n < streak.objects.size() && streak.objects[n++] == each;
  };
  return for_all_objects(next, is_same) && n == streak.objects.size();
}

bool task_core::give_to_streak(const task_record_ptr& one) {
  seat_streak* const streak = units_[static_cast<std::size_t>(int{one->unit})].streak;
  if (streak == nullptr || !may_go_on_in(*streak, *one)) return false;
  streak->now = one;
  one->streak = streak;
  units_[static_cast<std::size_t>(int{one->unit})].streak = nullptr;
  streak->has_next.store(true, std::memory_order_release);
  return true;
}

/// Between two tasks, on the thread of the seat. A body that owns an object which the work uses, and would
/// wait for that where it goes, goes behind it.
bool task_core::goes_on(seat_streak& streak, const std::atomic<bool>& is_awaited) {
  if (is_awaited.load(std::memory_order_relaxed)) return false;
  if (!streak.objects.empty() && !streak.now->has_plain_body) return false;
  unit_state& unit = units_[static_cast<std::size_t>(int{streak.now->unit})];
  const task_core* const outer = std::exchange(ends_task_of, this);
  bool has_next = false, may_come = false;
  {
    task_remains remains;
    const guard locked{*this};
    remains.record = std::exchange(streak.now, nullptr);
    streak.is_awaited = &is_awaited;
    streak.has_next.store(false, std::memory_order_relaxed);
    unit.streak = &streak;
    end_body(remains.record, nullptr, remains);
    bind_what_can(last_over_);
    has_next = streak.now != nullptr;
    may_come = n_waiting_for_all_ == 0 || !open_.empty();
  }
  ends_task_of = outer;
  engine_.get().start_without_waiting();
  return has_next || waits_for_more(streak, unit, may_come);
}

/// Who tells of a chain may be slower than what runs it; to tell the engine of each would cost more. What has
/// been given is found without the lock, which who tells of tasks has most of the time.
bool task_core::waits_for_more(seat_streak& streak, unit_state& unit, bool may_come) {
  if (may_come)
    spin_until([&] {
      return streak.has_next.load(std::memory_order_relaxed) ||
             streak.is_awaited->load(std::memory_order_relaxed);
    });
  if (streak.has_next.load(std::memory_order_acquire)) return true;
  const std::lock_guard locked{lock_};
  unit.streak = nullptr;
  return streak.now != nullptr;
}

void task_core::end_streak(seat_streak& streak, unit_id on, const std::exception_ptr& error) {
  task_record_ptr last;
  {
    const std::lock_guard locked{lock_};
    if (seat_streak*& open = units_[static_cast<std::size_t>(int{on})].streak; open == &streak)
      open = nullptr;
    last = std::exchange(streak.now, nullptr);
    if (last != nullptr) last->end = streak.end, last->streak = nullptr;
    streak.end = {};  // whose work has the streak
  }
  if (last != nullptr) is_over_now(last, error);
}

}  // namespace yoke::detail
