#include "task_loop_state.hpp"

#include <fmt/format.h>
#include <string>
#include <utility>

#include <yoke/compute_units.hpp>
#include <yoke/error.hpp>
#include <yoke/task_loop.hpp>

namespace yoke {

namespace {

std::string in_hand(stage now, int open, std::span<const task_id> batch, std::size_t handed_out) {
  switch (now) {
    case stage::fetched:
      return fmt::format("has fetched task {} and not started it", open);
    case stage::running:
      return fmt::format("is running task {}", open);
    case stage::batch_fetched:
      return fmt::format("has fetched a batch of {} tasks and not started it", batch.size());
    case stage::batch_running:
      return fmt::format("is running a batch of {} tasks", batch.size());
    case stage::idle:
      break;
  }
  if (handed_out == batch.size()) return "has no task in hand";
  return fmt::format("has {} tasks left of a batch begun with get_task", batch.size() - handed_out);
}

}  // namespace

void task_loop::refuse(const unit_state& state, const char* call, int task) const {
  throw usage_error{fmt::format(
      "{}({}) on CU {}, which {}; each CU calls get_task, execute_task and commit_task in this order for one "
      "task after the other, or get_batch, execute_batch and commit_batch with the span that get_batch gave",
      call, task == no_task ? std::string{} : std::to_string(task), static_cast<int>(state.id),
      in_hand(state.stage, state.open, state.batch, state.handed_out))};
}

void task_loop::require_usable(const char* call) const {
  if (n_units_ == nullptr) {
    throw usage_error{
        fmt::format("{}: the loop has been moved from; use the one that it was moved to", call)};
  }
  if (*n_units_ > 0) return;
  throw usage_error{
      fmt::format("{}: the runtime of the loop has ended; keep the runtime as long as its loops", call)};
}

void task_loop::no_unit_here() const {
  require_usable("task loop");
  static_cast<void>(units_->calling());  // throws
  YOKE_ASSERT(false, "a thread that has a CU was taken for one that has none");
}

pass_plan task_loop::prepare() {
  require_usable("prepare");
  const pass_id next = pass();
  plan_->prepare(next);
  return plan_->plan_of(next);
}

schedule& task_loop::plan() {
  require_usable("plan");
  return *plan_;
}
const schedule& task_loop::plan() const { return const_cast<task_loop*>(this)->plan(); }

const workload& task_loop::work() const {
  require_usable("work");
  return work_;
}

void task_loop::check_task(task_id task, const char* call) const {
  if (task >= 0 && task < work_.n_tasks) return;
  throw usage_error{fmt::format("{}({}): no such task; the loop has {} tasks, counted from 0", call,
                                static_cast<int>(task), work_.n_tasks)};
}

const task_loop::unit_state& task_loop::state_of(unit_id unit, const char* call) const {
  require_usable(call);
  if (unit < 0 || unit >= units_->size()) {
    throw usage_error{fmt::format("{}({}): no such CU; the configuration {} has {}, counted from 0", call,
                                  static_cast<int>(unit), units_->shape().text(), units_->size())};
  }
  return states_[static_cast<std::size_t>(unit)];
}

task_loop::task_record& task_loop::asked_record(task_id task, const char* call) const {
  require_usable(call);
  check_task(task, call);
  return record_of(task);
}

unit_id task_loop::cu_of(task_id task) const {
  return unit_id{asked_record(task, "cu_of").unit.load(std::memory_order_relaxed)};
}

void task_loop::set_task_time(task_id task, seconds time) {
  task_record& record = asked_record(task, "set_task_time");
  record.time.store(time, std::memory_order_relaxed);
  record.apportioned.store(false, std::memory_order_relaxed);
}

seconds task_loop::task_time(task_id task) const {
  return asked_record(task, "task_time").time.load(std::memory_order_relaxed);
}

bool task_loop::is_apportioned(task_id task) const {
  return asked_record(task, "is_apportioned").apportioned.load(std::memory_order_relaxed);
}

void task_loop::set_cu_time(unit_id unit, seconds time) {
  static_cast<void>(state_of(unit, "set_cu_time"));
  states_[static_cast<std::size_t>(unit)].busy.store(time, std::memory_order_relaxed);
}

seconds task_loop::cu_time(unit_id unit) const {
  return state_of(unit, "cu_time").busy.load(std::memory_order_relaxed);
}

unit_times task_loop::times_of(unit_id unit) const {
  const unit_state& state = state_of(unit, "times_of");
  return {.tasks = state.tasks.load(std::memory_order_relaxed),
          .busy = state.busy.load(std::memory_order_relaxed)};
}

bool task_loop::is_dynamic() const {
  require_usable("is_dynamic");
  return plan_->plan_of(0).is_first_come();
}
bool task_loop::is_static() const { return !is_dynamic(); }

void task_loop::reset_times() {
  require_usable("reset_times");
  for (int i = 0; i < units_->size(); ++i) {
    states_[static_cast<std::size_t>(i)].busy.store(0, std::memory_order_relaxed);
    states_[static_cast<std::size_t>(i)].tasks.store(0, std::memory_order_relaxed);
  }
}

bool task_loop::is_stopped() const noexcept {
  return stopped_ == nullptr || stopped_->load(std::memory_order_relaxed);
}
void task_loop::on_stop(std::function<void()> wake) { wake_ = std::move(wake); }
void task_loop::stop() noexcept {
  if (stopped_ != nullptr) stopped_->store(true, std::memory_order_relaxed);  // null: the body has moved it
  if (wake_) wake_();
}

void task_loop::begin_run() const {
  if (is_stopped()) {
    throw usage_error{
        "run: an earlier run of this loop failed, and some of its tasks have not been run; make a new "
        "loop"};
  }
  for (int i = 0; i < units_->size(); ++i) {
    const unit_state& state = states_[static_cast<std::size_t>(i)];
    if (state.stage != stage::idle || state.handed_out != state.batch.size()) {
      throw usage_error{fmt::format("run: CU {} {}; finish what was begun first", i,
                                    in_hand(state.stage, state.open, state.batch, state.handed_out))};
    }
    if (state.pass != states_[0].pass) {
      throw usage_error{
          fmt::format("run: CU {} is in pass {} and CU 0 in pass {}; let every CU call get_task until it "
                      "gives no_task first",
                      i, state.pass, states_[0].pass)};
    }
  }
}

long long task_loop::tasks_run() const {
  long long sum = 0;
  for (int i = 0; i < units_->size(); ++i) {
    sum += states_[static_cast<std::size_t>(i)].tasks.load(std::memory_order_relaxed);
  }
  return sum;
}

}  // namespace yoke
