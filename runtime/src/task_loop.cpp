#include "attendance.hpp"
#include "checking_schedule.hpp"
#include "task_loop_state.hpp"
#include "trace_tracks.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <yoke/compute_units.hpp>
#include <yoke/error.hpp>
#include <yoke/openmp.hpp>
#include <yoke/task_loop.hpp>
#include <yoke/trace.hpp>

namespace yoke {

namespace {

/// How long a CU waits for the others where they need not come: longer than a thread that has to be woken on
/// a busy machine needs, and no more than a hiccup where it was in vain.
constexpr seconds patience_with_others = 0.25;

void check_workload(const workload& work, const schedule* plan) {
  if (plan == nullptr) throw usage_error{"make_loop: no schedule was given (a null pointer)"};
  if (work.n_tasks < 0) {
    throw usage_error{fmt::format("make_loop: {} tasks; the number of tasks is 0 or more", work.n_tasks)};
  }
  if (!work.weights.empty() && work.weights.size() != static_cast<std::size_t>(work.n_tasks)) {
    throw usage_error{fmt::format("make_loop: {} weights for {} tasks; give one for each task, or none",
                                  work.weights.size(), work.n_tasks)};
  }
}

}  // namespace

task_loop::task_loop(const compute_units& units, std::unique_ptr<schedule> plan, workload work)
    : units_{&units},
      n_units_{units.live_size()},
      plan_{std::move(plan)},
      asked_{plan_.get()},
      work_{std::move(work)},
      tick_{tick_length()} {
  check_workload(work_, plan_.get());
  states_ = std::make_unique<unit_state[]>(static_cast<std::size_t>(units.size()));
  for (int i = 0; i < units.size(); ++i) states_[static_cast<std::size_t>(i)].id = unit_id{i};
  records_ = std::make_unique<task_record[]>(static_cast<std::size_t>(work_.n_tasks));
  attendance_ = std::make_unique<detail::attendance>(units.size());
  stopped_ = std::make_unique<std::atomic<bool>>(false);
}

void task_loop::check_schedule() {
  checked_ = std::make_unique<detail::checking_schedule>(*plan_, work_.n_tasks, units_->size());
  asked_ = checked_.get();
}

task_loop::~task_loop() = default;
task_loop::task_loop(task_loop&&) noexcept = default;
task_loop& task_loop::operator=(task_loop&&) noexcept = default;

inline task_loop::unit_state& task_loop::mine() {
  const int thread = openmp::outer_thread();
  if (n_units_ == nullptr || thread >= n_units_->load(std::memory_order_relaxed)) [[unlikely]]
    no_unit_here();
  return states_[static_cast<std::size_t>(thread)];
}

/// While tasks go to whoever asks first, all CUs shall be there to ask: a thread that has to be woken comes
/// tens of microseconds late, and small tasks would all be gone, in a memorized map for good.
void task_loop::begin_pass(unit_state& state, seconds patience) {
  attendance_->begin(state.id, state.pass);
  if (state.is_settled() || units_->size() == 1) return;
  if (state.pass >= state.told_until) state.told_until = plan_->plan_of(state.pass).until;
  if (state.is_settled() || openmp::level() != 1 || openmp::team_size() != units_->size()) return;
  const ticks came = trace_ != nullptr ? now() : 0;
  attendance_->wait_for_all(state.pass, *stopped_, patience);
  if (trace_ != nullptr) trace_->span(state.id, "wait", "line up", came, now());
}

inline bool task_loop::fetch(unit_state& state, seconds patience) {
  if (state.batch.empty()) [[unlikely]]
    begin_pass(state, patience);
  state.batch = asked_->next(state.id, state.pass);
  state.handed_out = 0;
  state.batch_ticks = 0;
  if (!state.batch.empty()) return true;
  attendance_->finish(state.id, state.pass);
  ++state.pass;
  return false;
}

task_id task_loop::get_task() {
  unit_state& state = mine();
  if (state.stage != stage::idle) [[unlikely]]
    refuse(state, "get_task", no_task);
  if (state.handed_out == state.batch.size() && !fetch(state, patience_with_others)) return no_task;
  const task_id task = state.batch[state.handed_out];
  if (task < 0 || task >= work_.n_tasks) [[unlikely]]
    check_task(task, "the schedule gave");
  ++state.handed_out;
  state.open = task;
  state.stage = stage::fetched;
  return task;
}

inline void task_loop::start_clock(unit_state& state) const {
  if (!clocked_) return;
  state.excluded = 0;
  state.started = now();
}

void task_loop::execute_task(task_id task) {
  unit_state& state = mine();
  if (state.stage != stage::fetched || state.open != task) [[unlikely]]
    refuse(state, "execute_task", task);
  state.stage = stage::running;
  start_clock(state);
}

inline void task_loop::stop_clock(unit_state& state, ticks& elapsed) const {
  state.ended = now();
  elapsed = std::max(state.ended - state.started - state.excluded, ticks{0});
  state.batch_ticks += elapsed;
  add(state.busy, static_cast<seconds>(elapsed) * tick_);
}

void task_loop::commit_task(task_id task) {
  unit_state& state = mine();
  if (state.stage != stage::running || state.open != task) [[unlikely]]
    refuse(state, "commit_task", task);
  task_record& record = record_of(task);
  if (clocked_) {
    ticks elapsed = 0;
    stop_clock(state, elapsed);
    record.time.store(static_cast<seconds>(elapsed) * tick_, std::memory_order_relaxed);
    record.apportioned.store(false, std::memory_order_relaxed);
    if (trace_ != nullptr) trace_task(state, task);
  }
  record.unit.store(state.id, std::memory_order_relaxed);
  add(state.tasks, 1LL);
  state.stage = stage::idle;
  state.open = no_task;
  if (state.handed_out == state.batch.size()) finish_batch(state);
}

inline void task_loop::finish_batch(unit_state& state) {
  asked_->done(state.id, state.pass, state.batch,
               timing_ ? static_cast<seconds>(state.batch_ticks) * tick_ : 0);
}

std::span<const task_id> task_loop::get_batch() { return get_batch(patience_with_others); }

std::span<const task_id> task_loop::get_batch(seconds patience) {
  unit_state& state = mine();
  if (state.stage != stage::idle || state.handed_out != state.batch.size()) [[unlikely]]
    refuse(state, "get_batch", no_task);
  if (!fetch(state, patience)) return {};
  for (const task_id task : state.batch) check_task(task, "the schedule gave");
  state.handed_out = state.batch.size();
  state.stage = stage::batch_fetched;
  return state.batch;
}

void task_loop::execute_batch(std::span<const task_id> batch) {
  unit_state& state = mine();
  if (state.stage != stage::batch_fetched || !same(batch, state.batch)) [[unlikely]]
    refuse(state, "execute_batch", batch.empty() ? no_task : batch.front());
  state.stage = stage::batch_running;
  start_clock(state);
}

void task_loop::commit_batch(std::span<const task_id> batch) {
  unit_state& state = mine();
  if (state.stage != stage::batch_running || !same(batch, state.batch)) [[unlikely]]
    refuse(state, "commit_batch", batch.empty() ? no_task : batch.front());
  if (clocked_) {
    ticks elapsed = 0;
    stop_clock(state, elapsed);
    apportion(state, elapsed);
    if (trace_ != nullptr) trace_batch(state);
  }
  for (const task_id task : batch) record_of(task).unit.store(state.id, std::memory_order_relaxed);
  add(state.tasks, static_cast<long long>(batch.size()));
  state.stage = stage::idle;
  finish_batch(state);
}

void task_loop::apportion(const unit_state& state, ticks elapsed) {
  double total = 0;
  for (const task_id task : state.batch) total += weight_of(task);
  const seconds per_weight = total > 0 ? static_cast<seconds>(elapsed) * tick_ / total : 0;
  for (const task_id task : state.batch) {
    task_record& record = record_of(task);
    record.time.store(per_weight * weight_of(task), std::memory_order_relaxed);
    record.apportioned.store(state.batch.size() > 1, std::memory_order_relaxed);
  }
}

trace_arguments task_loop::shown(const unit_state& state, task_id task) const {
  return {{{"loop", static_cast<double>(number_)},
           {"pass", static_cast<double>(state.pass)},
           {"task", static_cast<double>(task)},
           {"weight", weight_of(task)}}};
}

void task_loop::trace_task(const unit_state& state, task_id task) const {
  trace_->span(state.id, "task", "task", state.started, state.ended, shown(state, task));
}

// The shares by weight of the measured batch, so that each task can be found in the picture. On a track of
// their own: nothing of the CU's began or ended with them.
void task_loop::trace_batch(const unit_state& state) const {
  if (state.batch.size() == 1) return trace_task(state, state.batch.front());
  const int track = detail::trace_tracks::share_track(units_->size(), state.id);
  const ticks length = state.ended - state.started;
  double total = 0, before = 0;
  for (const task_id task : state.batch) total += weight_of(task);
  const auto at = [&](double weight) {
    return state.started + static_cast<ticks>(static_cast<double>(length) * (weight / total));
  };
  for (const task_id task : state.batch) {
    const double until = before + weight_of(task);
    trace_->span(track, "apportioned", "task", at(before), at(until), shown(state, task));
    before = until;
  }
  trace_->span(state.id, "batch", "batch", state.started, state.ended,
               {{{"loop", static_cast<double>(number_)},
                 {"pass", static_cast<double>(state.pass)},
                 {"tasks", static_cast<double>(state.batch.size())},
                 {"weight", total}}});
}

void task_loop::rehearsed(std::span<const task_id> tasks, seconds time) {
  for (const task_id task : tasks) check_task(task, "rehearsed");
  double weight = 0;
  for (const int task : tasks)
    weight += work_.weights.empty() ? 1.0 : work_.weights[static_cast<std::size_t>(task)];
  plan_->rehearsed(mine().id, weight, time);
}

void task_loop::exclude(ticks waited) { mine().excluded += waited; }

void task_loop::set_timing(bool on) {
  timing_ = on;
  clocked_ = timing_ || trace_ != nullptr;
}

pass_id task_loop::pass() const { return const_cast<task_loop*>(this)->mine().pass; }

}  // namespace yoke
