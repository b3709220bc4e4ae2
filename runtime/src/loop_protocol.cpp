#include "loop_protocol.hpp"

#include "loop_name.hpp"
#include "loop_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include <yoke/error.hpp>
#include <yoke/openmp.hpp>

namespace yoke::detail {

namespace {

bool same(std::span<const task_id> a, std::span<const task_id> b) {
  return a.data() == b.data() && a.size() == b.size();
}

task_id first_of(std::span<const task_id> batch) { return batch.empty() ? no_task : batch.front(); }

[[noreturn]] void refuse(const workload& work, const unit_state& state, const char* call, int task) {
  throw usage_error{fmt::format(
      "{}({}) on CU {}, which {}; each CU calls get_task, execute_task and commit_task in this order for one "
      "task after the other, or get_batch, execute_batch and commit_batch with the span that get_batch gave "
      "({})",
      call, task == no_task ? std::string{} : std::to_string(task), static_cast<int>(state.id),
      state.in_hand(), called(work))};
}

}  // namespace

std::string unit_state::in_hand() const {
  switch (stage) {
    case stage::fetched:
      return fmt::format("has fetched task {} and not started it", static_cast<int>(open));
    case stage::running:
      return fmt::format("is running task {}", static_cast<int>(open));
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

loop_protocol::loop_protocol(schedule& plan, const workload& work, loop_account& account, int n_units)
    : plan_{plan},
      asked_{&plan},
      work_{work},
      account_{account},
      n_units_{n_units},
      states_{std::make_unique<unit_state[]>(static_cast<std::size_t>(n_units))},
      attendance_{n_units},
      trace_{work, n_units},
      tick_{tick_length()} {
  for (int unit = 0; unit < n_units; ++unit) state_of(unit).id = unit_id{unit};
}

void loop_protocol::set_timing(bool on) {
  timing_ = on;
  clocked_ = timing_ || trace_.is_on();
}

void loop_protocol::show_in(trace_recorder* recorder, int number) {
  trace_.write_to(recorder, number);
  set_timing(timing_);
}

/// While tasks go to whoever asks first, all CUs shall be there to ask: a thread that has to be woken comes
/// tens of microseconds late, and small tasks would all be gone, in a memorized map for good.
void loop_protocol::begin_pass(unit_state& state, seconds patience) {
  attendance_.begin(state.id, state.pass);
  if (state.is_settled() || n_units_ == 1) return;
  if (state.pass >= state.told_until) {
    const pass_plan plan = plan_.plan_of(state.pass);
    state.told_until = plan.until;
    state.is_first_come = plan.is_first_come();
  }
  if (state.is_settled() || !state.is_first_come || openmp::level() != 1 || openmp::team_size() != n_units_)
    return;
  const ticks came = trace_.is_on() ? now() : 0;
  attendance_.wait_for_all(state.pass, stopped_, patience);
  if (trace_.is_on()) trace_.lined_up(state.id, came);
}

inline bool loop_protocol::fetch(unit_state& state, seconds patience) {
  if (state.batch.empty()) [[unlikely]]
    begin_pass(state, patience);
  state.batch = asked_->next(state.id, state.pass);
  state.handed_out = 0;
  state.batch_ticks = 0;
  if (!state.batch.empty()) return true;
  attendance_.finish(state.id, state.pass);
  ++state.pass;
  return false;
}

inline void loop_protocol::start_clock(unit_state& state) const {
  if (!clocked_) return;
  state.excluded = 0;
  state.started = now();
}

inline seconds loop_protocol::stop_clock(unit_state& state) {
  state.ended = now();
  const ticks elapsed = std::max(state.ended - state.started - state.excluded, ticks{0});
  state.batch_ticks += elapsed;
  const seconds time = static_cast<seconds>(elapsed) * tick_;
  account_.was_busy(state.id, time);
  return time;
}

inline void loop_protocol::finish_batch(unit_state& state) {
  asked_->done(state.id, state.pass, state.batch,
               timing_ ? static_cast<seconds>(state.batch_ticks) * tick_ : 0);
}

inline task_id loop_protocol::get_task(unit_state& state) {
  if (state.stage != stage::idle) [[unlikely]]
    refuse(work_, state, "get_task", no_task);
  if (state.handed_out == state.batch.size() && !fetch(state, patience_with_others)) return no_task;
  const task_id task = state.batch[state.handed_out];
  if (task < 0 || task >= work_.n_tasks) [[unlikely]]
    check_task(task, "the schedule gave");
  ++state.handed_out;
  state.open = task;
  state.stage = stage::fetched;
  return task;
}

inline void loop_protocol::execute_task(unit_state& state, task_id task) {
  if (state.stage != stage::fetched || state.open != task) [[unlikely]]
    refuse(work_, state, "execute_task", task);
  state.stage = stage::running;
  start_clock(state);
}

inline void loop_protocol::commit_task(unit_state& state, task_id task) {
  if (state.stage != stage::running || state.open != task) [[unlikely]]
    refuse(work_, state, "commit_task", task);
  if (clocked_) {
    account_.of(task).set_time(stop_clock(state), false);
    if (trace_.is_on()) trace_.ran(state.last(), task);
    if (account_.samples().is_on()) account_.keep(state.id, state.pass, {&task, 1});
  }
  account_.ran(state.id, {&task, 1});
  state.stage = stage::idle;
  state.open = no_task;
  if (state.handed_out == state.batch.size()) finish_batch(state);
}

std::span<const task_id> loop_protocol::get_batch(unit_state& state, seconds patience) {
  if (state.stage != stage::idle || state.handed_out != state.batch.size()) [[unlikely]]
    refuse(work_, state, "get_batch", no_task);
  if (!fetch(state, patience)) return {};
  for (const task_id task : state.batch) check_task(task, "the schedule gave");
  state.handed_out = state.batch.size();
  state.stage = stage::batch_fetched;
  return state.batch;
}

inline void loop_protocol::execute_batch(unit_state& state, std::span<const task_id> batch) {
  if (state.stage != stage::batch_fetched || !same(batch, state.batch)) [[unlikely]]
    refuse(work_, state, "execute_batch", first_of(batch));
  state.stage = stage::batch_running;
  start_clock(state);
}

inline void loop_protocol::commit_batch(unit_state& state, std::span<const task_id> batch) {
  if (state.stage != stage::batch_running || !same(batch, state.batch)) [[unlikely]]
    refuse(work_, state, "commit_batch", first_of(batch));
  if (clocked_) {
    account_.apportion(batch, stop_clock(state));
    if (trace_.is_on()) trace_.ran(state.last(), batch);
    if (account_.samples().is_on()) account_.keep(state.id, state.pass, batch);
  }
  account_.ran(state.id, batch);
  state.stage = stage::idle;
  finish_batch(state);
}

void loop_protocol::catch_up(pass_id pass) noexcept {
  for (int unit = 0; unit < n_units_; ++unit) {
    unit_state& state = state_of(unit);
    if (state.pass >= pass) continue;
    state.pass = pass;
    attendance_.finish(state.id, pass - 1);
  }
}

void loop_protocol::check_task(task_id task, const char* call) const {
  if (task >= 0 && task < work_.n_tasks) return;
  throw usage_error{fmt::format("{}({}): no such task; {} has {} tasks, counted from 0", call,
                                static_cast<int>(task), work_.name.empty() ? "the loop" : called(work_),
                                work_.n_tasks)};
}

void loop_protocol::check_ready_to_run() const {
  if (is_stopped()) {
    throw usage_error{fmt::format(
        "run: an earlier run of {} failed, and some of its tasks have not been run; make a new loop",
        called(work_))};
  }
  for (int unit = 0; unit < n_units_; ++unit) {
    const unit_state& state = state_of(unit);
    if (state.stage != stage::idle || state.handed_out != state.batch.size())
      throw usage_error{fmt::format("run: CU {} {}; finish what was begun first ({})", unit, state.in_hand(),
                                    called(work_))};
    if (state.pass == state_of(0).pass) continue;
    throw usage_error{
        fmt::format("run: CU {} is in pass {} and CU 0 in pass {}; let every CU call get_task until it "
                    "gives no_task first ({})",
                    unit, state.pass, state_of(0).pass, called(work_))};
  }
}

}  // namespace yoke::detail

namespace yoke {

// Here and not with the other members of task_loop, so that each is one call.

task_id task_loop::get_task() {
  detail::unit_state& state = parts::mine(parts_);
  return parts_->protocol.get_task(state);
}

void task_loop::execute_task(task_id task) {
  detail::unit_state& state = parts::mine(parts_);
  parts_->protocol.execute_task(state, task);
}

void task_loop::commit_task(task_id task) {
  detail::unit_state& state = parts::mine(parts_);
  parts_->protocol.commit_task(state, task);
}

std::span<const task_id> task_loop::get_batch() {
  detail::unit_state& state = parts::mine(parts_);
  return parts_->protocol.get_batch(state, detail::loop_protocol::patience_with_others);
}

void task_loop::execute_batch(std::span<const task_id> batch) {
  detail::unit_state& state = parts::mine(parts_);
  parts_->protocol.execute_batch(state, batch);
}

void task_loop::commit_batch(std::span<const task_id> batch) {
  detail::unit_state& state = parts::mine(parts_);
  parts_->protocol.commit_batch(state, batch);
}

}  // namespace yoke
