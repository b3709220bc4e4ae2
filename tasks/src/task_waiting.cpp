// What is waited for, and cancelled.
#include "task_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>

namespace yoke::detail {

void task_core::sleep(guard& locked, const std::function<bool()>& may_go_on) {
  ++n_waiting_;
  changed_.wait(locked.lock, may_go_on);
  --n_waiting_;
}

/// Errors: usage_error where an agent would wait in a circle; not at its end, where others are told.
void task_core::block(guard& locked, const std::vector<task_record_ptr>& what,
                      const std::function<bool()>& may_go_on) {
  if (may_go_on()) return;
  const task_record_ptr me = agent_here();
  if (me == nullptr) return sleep(locked, may_go_on);
  agent_state& mine = *me->agent;
  mine.waits_for = what;
  mine.may_go_on = &may_go_on;
  ++n_blocked_;
  for (auto circle = circle_of(me); !circle.empty(); circle = circle_of(me)) break_circle(circle);
  if (mine.waits()) {
    fail_flags_where_stuck();
    bind_and_start(locked);
    sleep(locked, [&mine] { return !mine.waits(); });
  }
  --n_blocked_;
  mine.waits_for.clear();
  mine.may_go_on = nullptr;
  if (mine.circle != nullptr) std::rethrow_exception(std::exchange(mine.circle, nullptr));
}

void task_core::cancel_unbound() {
  std::vector<task_record_ptr> unbound;
  for (const task_record_ptr& one : open_)
    if (one->at == stage::told || one->at == stage::held) unbound.push_back(one);
  for (const task_record_ptr& each : unbound) each->is_cancelled = true;
  for (const task_record_ptr& each : unbound) give_tokens_back(each);
  for (const task_record_ptr& each : unbound) {
    if (each->at == stage::told) binder_.cancel(each->id);
    close(each, std::make_exception_ptr(
                    task_cancelled{fmt::format("{}: its group was cancelled before it {}", each->name,
                                               each->is_agent() ? "had started" : "had a CU")}));
  }
}

void task_core::cancel() {
  refuse_in_forked_child();
  guard locked{*this};
  is_cancelled_ = true;
  cancel_unbound();
  if (has_runtime()) bind_and_start(locked);
}

bool task_core::is_over(const task_record_ptr& one) {
  refuse_in_forked_child();
  const guard locked{*this};
  return one->is_over();
}

void task_core::wait(const task_record_ptr& one) {
  refuse(one->name, ": waited for");
  if (one->is_listed()) refuse_recorded(fmt::format("{}: waited for", one->name));
  guard locked{*this};
  block(locked, {one}, [&] { return one->is_over(); });
  std::erase_if(untold_, [&](const task_record_ptr& each) { return each->error == one->error; });
  if (one->error != nullptr) std::rethrow_exception(one->error);
}

void task_core::wait_for_all(guard& locked) {
  ++n_waiting_for_all_;
  fail_flags_where_stuck();
  bind_and_start(locked);
  changed_.wait(locked.lock, [&] { return open_.empty() && n_agents_running_ == 0; });
  --n_waiting_for_all_;
}

void task_core::wait() {
  refuse("a group", ": waited for");
  if (const task_record_ptr me = agent_here(); me != nullptr)
    throw usage_error{fmt::format(
        "{}: it is to wait for its group, which waits for it; me.wait_all() waits for its tasks", me->name)};
  guard locked{*this};
  wait_for_all(locked);
  is_cancelled_ = false;
  const std::exception_ptr error = first_error();
  untold_.clear();
  if (error != nullptr) std::rethrow_exception(error);
}

std::exception_ptr task_core::first_error() const {
  const auto first =
      std::ranges::min_element(untold_, {}, [](const task_record_ptr& each) { return each->number; });
  return first == untold_.end() ? nullptr : (*first)->error;
}

std::exception_ptr task_core::end(bool cancels) noexcept {
  guard locked{*this};
  if (cancels) is_cancelled_ = true, cancel_unbound();
  wait_for_all(locked);
  has_ended_ = true;
  return first_error();
}

bool task_core::is_planned(const recorded_tasks& all) {
  const guard locked{*this};
  return !all.steps.empty();
}

bool task_core::is_free(unit_id unit) {
  refuse_in_forked_child();
  const guard locked{*this};
  return binder_.is_free(unit);
}

}  // namespace yoke::detail
