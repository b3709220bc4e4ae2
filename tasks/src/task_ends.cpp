// What is over.
#include "task_core.hpp"

#include <algorithm>
#include <utility>

namespace yoke::detail {

/// On a GPU about: from when it could begin to when somebody heard of its end.
seconds task_core::time_of(const task_record& one, ticks at) const {
  if (one.ran > 0) return one.ran;
  const ticks last = units_[static_cast<std::size_t>(int{one.unit})].last_over;
  return elapsed(std::max(one.bound_at, last), at);
}

void task_core::free_unit_of(const task_record& one, bool has_failed) {
  const ticks at = now();
  unit_state& unit = units_[static_cast<std::size_t>(int{one.unit})];
  unit.taken[static_cast<std::size_t>(one.slot)] = false;
  const seconds since_began = elapsed(began_, at);
  if (has_failed)
    binder_.failed(one.id, since_began);
  else
    binder_.ended(one.id, since_began, time_of(one, at));
  unit.last_over = last_over_ = at;
}

void task_core::is_over_now(const task_record_ptr& one, const std::exception_ptr& error) {
  const task_core* const outer = std::exchange(ends_task_of, this);
  {
    task_remains remains;
    const guard locked{*this};
    end_body(one, error, remains);
    bind_what_can();
  }
  ends_task_of = outer;
}

void task_core::end_body(const task_record_ptr& one, const std::exception_ptr& error, task_remains& remains) {
  remains.body.swap(one->body);
  if (unit_team* const team = one->team(); team != nullptr) team->let_go();
  if (one->id != scheduling::told_task{}) free_unit_of(*one, error != nullptr);
  if (!one->is_over()) close(one, error, &remains);  // an access may have been given up
}

/// Whether it has failed for the sake of a task before it.
bool task_core::is_of_another(const task_record& one, const std::exception_ptr& error) const {
  const auto has_it = [&](const task_record_ptr& each) { return each->error == error; };
  return error == one.doom() || std::ranges::any_of(one.before, has_it);
}

void task_core::close(const task_record_ptr& one, const std::exception_ptr& error, task_remains* remains) {
  if (one->at == stage::held) --n_held_;
  one->at = stage::over;
  if (one->at_most() != nullptr) late_.ends(one.get());
  one->error = error;
  if (error != nullptr && !one->is_cancelled && one->kind != record_kind::access &&
      !is_of_another(*one, error))
    untold_.push_back(one);
  if (error != nullptr && !one->is_cancelled && one->commutes) break_tokens(one);
  keep_promise(*one);
  let_go(*one);
  task_remains here;
  task_remains& to = remains != nullptr ? *remains : here;
  to.before = std::move(one->before);
  one->n_after = 0;
  to.uses = std::move(one->uses);
  one->end = {};  // whose work has this record
  one->streak = nullptr;
  if (one->recorded != nullptr) one->recorded->all = {};  // whose tokens may have it
  has_passed(*one);
  if (one->body != nullptr || one->agent != nullptr) gone_.push_back(one);
  open_[one->index] = std::move(open_.back());
  open_[one->index]->index = one->index;
  open_.pop_back();
  if (one->by != nullptr && one->kind != record_kind::access) --one->by->agent->n_open;
  if (n_waiting_ > 0 || open_.empty()) wake();
}

}  // namespace yoke::detail
