#include "checking_schedule.hpp"
#include "loop_name.hpp"
#include "loop_parts.hpp"

#include <fmt/format.h>
#include <utility>

#include <yoke/endings.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/learner.hpp>
#include <yoke/scheduling.hpp>
#include <yoke/task_loop.hpp>

namespace yoke {

namespace {

std::unique_ptr<schedule> checked_plan(std::unique_ptr<schedule> plan) {
  if (plan == nullptr) throw usage_error{"make_loop: no schedule was given (a null pointer)"};
  return plan;
}

workload checked_work(workload work) {
  if (work.n_tasks < 0) {
    throw usage_error{fmt::format("make_loop: {} tasks; the number of tasks is 0 or more", work.n_tasks)};
  }
  if (work.passes < 0) {
    throw usage_error{fmt::format(
        "make_loop: {} passes planned; give how many there will be, or 0 if that is unknown", work.passes)};
  }
  scheduling::check_workload(work);
  if (!work.weights.empty() && work.weights.size() != static_cast<std::size_t>(work.n_tasks)) {
    throw usage_error{fmt::format("make_loop: {} weights for {} tasks; give one for each task, or none",
                                  work.weights.size(), work.n_tasks)};
  }
  return work;
}

}  // namespace

task_loop::parts::parts(const compute_units& of, std::unique_ptr<schedule> given, workload asked)
    : units{of},
      n_units{of.live_size()},
      work{checked_work(std::move(asked))},
      plan{checked_plan(std::move(given))},
      account{work, of.size()},
      protocol{*plan, work, account, of.size()},
      crew{*plan, of} {}

task_loop::parts& task_loop::parts::usable(const std::unique_ptr<parts>& of, const char* call) {
  if (of == nullptr) {
    throw usage_error{
        fmt::format("{}: the loop has been moved from; use the one that it was moved to", call)};
  }
  if (*of->n_units > 0) return *of;
  throw usage_error{
      fmt::format("{}: the runtime of the loop has ended; keep the runtime as long as its loops", call)};
}

detail::unit_state& task_loop::parts::mine_or_error(const std::unique_ptr<parts>& of) {
  parts& loop = usable(of, "task loop");
  return loop.protocol.state_of(loop.units.calling().id);
}

detail::task_record& task_loop::parts::record_of(task_id task, const char* call) const {
  protocol.check_task(task, call);
  return account.of(task);
}

unit_id task_loop::parts::checked(unit_id unit, const char* call) const {
  if (unit >= 0 && unit < units.size()) return unit;
  throw usage_error{fmt::format("{}({}): no such CU; the configuration {} has {}, counted from 0", call,
                                static_cast<int>(unit), units.shape().text(), units.size())};
}

void task_loop::parts::check_schedule() {
  checking =
      std::make_unique<detail::checking_schedule>(*plan, work.n_tasks, units.size(), detail::called(work));
  protocol.ask_through(*checking);
}

void task_loop::parts::remember(std::shared_ptr<detail::profile_store> in, std::string_view schedule,
                                std::span<const unit> of) {
  learner* const learns = plan->learning();
  if (learns == nullptr) return;
  detail::profile_key key = in->key_of(work, schedule);
  if (const profile earlier = in->earlier(key, work, of); !earlier.is_empty()) learns->recall(earlier);
  remembering = std::make_unique<detail::loop_profile>(std::move(in), std::move(key), *learns, protocol);
}

void task_loop::parts::stop() noexcept {
  protocol.stop();
  if (wake) wake();
}

task_loop::task_loop(const compute_units& units, std::unique_ptr<schedule> plan, workload work)
    : parts_{std::make_unique<parts>(units, std::move(plan), std::move(work))} {}

task_loop::~task_loop() {
  if (parts_ != nullptr && (detail::is_thread_of_device || parts_->runs.load() > 0))
    detail::abandon(parts_.release());
}
task_loop::task_loop(task_loop&&) noexcept = default;
task_loop& task_loop::operator=(task_loop&&) noexcept = default;

void task_loop::exclude(ticks waited) { parts::mine(parts_).excluded += waited; }
pass_id task_loop::pass() const { return parts::mine(parts_).pass; }

void task_loop::rehearsed(std::span<const task_id> tasks, seconds time) {
  const detail::unit_state& state = parts::mine(parts_);
  for (const task_id task : tasks) parts_->protocol.check_task(task, "rehearsed");
  if (learner* const of = parts_->plan->learning())
    of->rehearsed(state.id, weight_of(parts_->work, tasks), time);
}

unit_id task_loop::cu_of(task_id task) const {
  const detail::task_record& record = parts::usable(parts_, "cu_of").record_of(task, "cu_of");
  return unit_id{record.unit.load(std::memory_order_relaxed)};
}

void task_loop::set_task_time(task_id task, seconds time) {
  parts::usable(parts_, "set_task_time").record_of(task, "set_task_time").set_time(time, false);
}

seconds task_loop::task_time(task_id task) const {
  const detail::task_record& record = parts::usable(parts_, "task_time").record_of(task, "task_time");
  return record.time.load(std::memory_order_relaxed);
}

bool task_loop::is_apportioned(task_id task) const {
  const detail::task_record& record =
      parts::usable(parts_, "is_apportioned").record_of(task, "is_apportioned");
  return record.apportioned.load(std::memory_order_relaxed);
}

void task_loop::keep_samples(bool on) { parts::usable(parts_, "keep_samples").account.samples().set(on); }

std::vector<task_sample> task_loop::samples() const {
  return parts::usable(parts_, "samples").account.samples().all();
}

void task_loop::set_cu_time(unit_id unit, seconds time) {
  parts& own = parts::usable(parts_, "set_cu_time");
  own.account.set_busy(own.checked(unit, "set_cu_time"), time);
}

seconds task_loop::cu_time(unit_id unit) const {
  const parts& own = parts::usable(parts_, "cu_time");
  return own.account.times_of(own.checked(unit, "cu_time")).busy;
}

unit_times task_loop::times_of(unit_id unit) const {
  const parts& own = parts::usable(parts_, "times_of");
  return own.account.times_of(own.checked(unit, "times_of"));
}

void task_loop::reset_times() {
  parts& own = parts::usable(parts_, "reset_times");
  own.account.reset_times();
  if (learner* const of = own.plan->learning()) of->time_counts();
}

bool task_loop::is_dynamic() const {
  return parts::usable(parts_, "is_dynamic").plan->plan_of(0).is_first_come();
}
bool task_loop::is_static() const { return !is_dynamic(); }

pass_plan task_loop::prepare() { return prepare(parts::usable(parts_, "prepare").protocol.state_of(0).pass); }

pass_plan task_loop::prepare(pass_id next) {
  parts& own = parts::usable(parts_, "prepare");
  own.plan->prepare(next);
  return own.plan->plan_of(next);
}

schedule& task_loop::plan() { return *parts::usable(parts_, "plan").plan; }
const schedule& task_loop::plan() const { return *parts::usable(parts_, "plan").plan; }
const workload& task_loop::work() const { return parts::usable(parts_, "work").work; }

void task_loop::set_timing(bool on) {
  if (parts_ != nullptr) parts_->protocol.set_timing(on);
}
bool task_loop::is_stopped() const noexcept { return parts_ == nullptr || parts_->protocol.is_stopped(); }
void task_loop::on_stop(std::function<void()> wake) {
  if (parts_ != nullptr) parts_->wake = std::move(wake);
}

}  // namespace yoke
