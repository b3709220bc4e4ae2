#include "look.hpp"

#include <fmt/format.h>
#include <limits>

#include <yoke/error.hpp>
#include <yoke/number_range.hpp>
#include <yoke/task_binder.hpp>

namespace yoke::scheduling {

namespace {

/// Of a task: what is multiplied with times of batches.
constexpr detail::number_range works{.least = 1e-40, .most = 1e40};

std::uint32_t record_of(told_task task) { return static_cast<std::uint32_t>(task); }
std::uint32_t generation_of(told_task task) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(task) >> 32);
}

}  // namespace

struct task_binder::state : binder_state {
  using binder_state::binder_state;

  told_task name_of(std::uint32_t record) const {
    return told_task{std::uint64_t{tasks[record].generation} << 32 | record};
  }
  bool was_told(told_task task) const;
  bool is_over(told_task task) const;
  std::uint32_t checked(told_task task, const char* what) const;
  std::uint32_t checked_bound(told_task task, const char* what) const;
  [[noreturn]] void refuse_unbound(told_task task, const char* what) const;

  ready_look next_look{*this};
  std::vector<unit_id> last_units{};
};

/// The generation of a task that was told is 1 at least.
bool task_binder::state::was_told(told_task task) const {
  return record_of(task) < tasks.size() && generation_of(task) > 0 &&
         generation_of(task) <= tasks[record_of(task)].generation;
}

/// Requires one that was told.
bool task_binder::state::is_over(told_task task) const {
  const task_record& at = tasks[record_of(task)];
  return at.generation != generation_of(task) || at.state == task_state::over;
}

std::uint32_t task_binder::state::checked(told_task task, const char* what) const {
  if (!was_told(task))
    throw usage_error{fmt::format("{}: task {:#x} was not told; one that task_binder::tell has returned",
                                  what, static_cast<std::uint64_t>(task))};
  return record_of(task);
}

/// Short for what is right: each task comes here twice.
std::uint32_t task_binder::state::checked_bound(told_task task, const char* what) const {
  const std::uint32_t at = record_of(task);
  if (at < tasks.size() && tasks[at].generation == generation_of(task) && tasks[at].is_bound()) return at;
  refuse_unbound(task, what);
}

void task_binder::state::refuse_unbound(told_task task, const char* what) const {
  static_cast<void>(checked(task, what));
  const bool is_gone = is_over(task);
  throw usage_error{fmt::format("{}: task {:#x} is {}; one that is bound and not over", what,
                                static_cast<std::uint64_t>(task), is_gone ? "over" : "not bound")};
}

task_binder::task_binder(const task_machine& machine) : state_{std::make_unique<state>(machine)} {}
task_binder::~task_binder() = default;
task_binder::task_binder(task_binder&&) noexcept = default;
task_binder& task_binder::operator=(task_binder&&) noexcept = default;

void task_binder::expect(int kind, unit_id unit, seconds per_work) {
  const std::size_t on = state_->machine.checked(unit, "task_binder::expect");
  if (!(per_work > 0 && detail::batch_times.has(per_work)))
    throw usage_error{fmt::format("task_binder::expect: {} s for work 1; from {} to {} s", per_work,
                                  detail::batch_times.least, detail::batch_times.most)};
  state_->is_settled = false;
  state_->times.expect(state_->times.number_of(kind, 1), state_->machine.class_of(on), per_work);
}

std::optional<seconds> task_binder::estimate(int kind, unit_id unit) const {
  const std::size_t on = state_->machine.checked(unit, "task_binder::estimate");
  const seconds time = state_->times.get(state_->times.number_of(kind, 1), state_->machine.class_of(on)).time;
  return time > 0 ? std::optional{time} : std::nullopt;
}

told_task task_binder::tell(const task_request& next) {
  if (!works.has(next.work))
    throw usage_error{fmt::format("task_request::work: {}; {}", next.work, works.accepted())};
  for (const told_task before : next.after) state_->checked(before, "task_request::after");
  const std::uint32_t record = state_->add(next);
  for (const told_task before : next.after)
    if (!state_->is_over(before)) state_->come_after(record, record_of(before));
  state_->admit(record);
  return state_->name_of(record);
}

bool task_binder::may_bind() const {
  return state_->n_ready > 0 && !state_->is_settled && state_->loads.any_free();
}

std::optional<task_binding> task_binder::bind_next(seconds now) {
  if (!may_bind()) return std::nullopt;
  const choice* const found = state_->next_look.find(now);
  state_->is_settled = found == nullptr;
  if (found == nullptr) return std::nullopt;
  state_->bind(found->task, found->units, found->begin);
  state_->last_units.clear();
  for (const int u : found->units) state_->last_units.push_back(unit_id{u});
  const seconds time = state_->tasks[found->task].time;
  return task_binding{state_->name_of(found->task), state_->last_units, found->begin,
                      time > 0 ? found->begin + time : std::numeric_limits<seconds>::infinity(),
                      state_->tasks[found->task].own};
}

void task_binder::started(told_task task, seconds now) {
  state_->start(state_->checked_bound(task, "task_binder::started"), now);
}

void task_binder::ended(told_task task, seconds now, seconds time) {
  const std::uint32_t record = state_->checked_bound(task, "task_binder::ended");
  const task_record& of = state_->tasks[record];
  state_->times.add(of.kind, state_->machine.class_of(static_cast<std::size_t>(of.unit)), time / of.work);
  state_->end(record, now);
}

void task_binder::failed(told_task task, seconds now) {
  state_->end(state_->checked_bound(task, "task_binder::failed"), now);
}

bool task_binder::cancel(told_task task) {
  const std::uint32_t record = state_->checked(task, "task_binder::cancel");
  if (state_->is_over(task)) return true;
  if (state_->tasks[record].is_bound()) return false;
  state_->cancel(record);
  return true;
}

void task_binder::is_in(std::uint64_t piece, space_id memory) {
  state_->is_settled = false;
  state_->pieces.is_in(piece, state_->machine.checked(memory, "task_binder::is_in"));
}
void task_binder::forget(std::uint64_t piece) { state_->pieces.forget(piece); }

bool task_binder::is_free(unit_id unit) const {
  return state_->loads.is_free(state_->machine.checked(unit, "task_binder::is_free"));
}
std::size_t task_binder::n_ready() const { return state_->n_ready; }
std::size_t task_binder::n_told() const { return state_->n_told; }

}  // namespace yoke::scheduling
