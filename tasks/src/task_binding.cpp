// Which task gets which unit, and what becomes of it there.
#include "task_core.hpp"

#include <algorithm>
#include <utility>

namespace yoke::detail {

namespace {

flow::role role_of(task_role as) {
  switch (as) {
    case task_role::in:
      return flow::role::in;
    case task_role::out:
      return flow::role::out;
    case task_role::inout:
      return flow::role::inout;
  }
  return flow::role::inout;
}

}  // namespace

void task_core::bind_what_can() {
  while (const auto next = binder_.bind_next(elapsed(began_, now()))) bind(*next);
}

void task_core::bind(const scheduling::task_binding& to) {
  const task_record_ptr one = open_.at(static_cast<std::uint64_t>(to.task));
  one->unit = to.units.front();
  one->at = task_record::stage::bound;
  one->bound_at = now();
  auto& taken = units_[static_cast<std::size_t>(int{one->unit})].taken;
  one->slot = static_cast<int>(std::ranges::find(taken, false) - taken.begin());
  taken[static_cast<std::size_t>(one->slot)] = true;
  if (open_before(*one).empty()) start(*one);
  try {
    enqueue(one);
  } catch (...) {
    fail_untold(one, std::current_exception());
  }
  for (known_use& each : one->uses) each.previous = nullptr;
  keep_promise(*one);
}

/// The binder's estimates of its unit begin here.
void task_core::start(task_record& one) {
  one.has_started = true;
  binder_.started(one.id, elapsed(began_, now()));
}

std::shared_ptr<const flow::plan> task_core::plan_of(const task_record_ptr& one) {
  const compute_unit& unit = rt_.units().at(one->unit);
  const auto run = [this, &unit, one](const flow::site& at) {
    if (!one->has_started) {
      const guard locked{lock_};
      start(*one);
    }
    const ticks from = now();
    task_context me{unit, at.stream};
    one->body(me, at.addresses.data());
    if (unit.dev == nullptr) one->ran = elapsed(from, now());
  };
  return std::make_shared<flow::plan>(flow::plan{one->name, run});
}

std::vector<flow::placed_argument> task_core::arguments_of(const task_record& one) const {
  std::vector<flow::placed_argument> all;
  for (const known_use& each : one.uses)
    if (each.is_object()) all.push_back({each.object, role_of(each.as)});
  return all;
}

void task_core::enqueue(const task_record_ptr& one) {
  if (one->doom != nullptr) std::rethrow_exception(one->doom);
  std::vector<flow::completion> after, behind;
  for (const task_record_ptr& each : one->after) {
    if (each->error != nullptr) std::rethrow_exception(each->error);
    after.push_back(each->end);
  }
  for (const task_record_ptr& each : one->behind) behind.push_back(each->end);
  const bool is_gpu = rt_.units().at(one->unit).dev != nullptr;
  one->end = engine_.tell(
      engine_.lane_of(one->unit, is_gpu ? one->slot : 0), engine_.memory_of(one->unit), plan_of(one),
      arguments_of(*one), {after, behind},
      [self = shared_from_this(), one](const std::exception_ptr& error) { self->is_over_now(one, error); });
}

/// It could not be told: it fails in its turn, and so does what reads what it was to write.
void task_core::fail_untold(const task_record_ptr& one, const std::exception_ptr& why) {
  std::vector<flow::completion> behind;
  for (const auto* const some : {&one->after, &one->behind})
    for (const task_record_ptr& each : *some) behind.push_back(each->end);
  one->end = engine_.tell_failure(
      one->name, why, arguments_of(*one), behind,
      [self = shared_from_this(), one](const std::exception_ptr& error) { self->is_over_now(one, error); });
}

// What is over.

/// On a GPU about: from when it could begin to when somebody heard of its end.
seconds task_core::time_of(const task_record& one, ticks at) const {
  if (one.ran > 0) return one.ran;
  const ticks last = units_[static_cast<std::size_t>(int{one.unit})].last_over;
  return elapsed(std::max(one.bound_at, last), at);
}

void task_core::is_over_now(const task_record_ptr& one, const std::exception_ptr& error) {
  const guard locked{lock_};
  const ticks at = now();
  unit_state& unit = units_[static_cast<std::size_t>(int{one->unit})];
  unit.taken[static_cast<std::size_t>(one->slot)] = false;
  const seconds since_began = elapsed(began_, at);
  if (error == nullptr)
    binder_.ended(one->id, since_began, time_of(*one, at));
  else
    binder_.failed(one->id, since_began);
  unit.last_over = at;
  close(one, error);
  bind_what_can();
}

/// Whether it has failed for the sake of a task before it.
bool task_core::is_of_another(const task_record& one, const std::exception_ptr& error) const {
  const auto has_it = [&](const task_record_ptr& each) { return each->error == error; };
  return error == one.doom || std::ranges::any_of(one.after, has_it) ||
         std::ranges::any_of(one.behind, has_it);
}

void task_core::close(const task_record_ptr& one, const std::exception_ptr& error) {
  one->at = task_record::stage::over;
  one->error = error;
  if (error != nullptr && !one->is_cancelled && !is_of_another(*one, error)) untold_.push_back(one);
  keep_promise(*one);
  let_go(*one);
  one->after.clear();
  one->behind.clear();
  one->body = {};
  one->uses = {};
  one->end = {};  // whose work has this record
  open_.erase(static_cast<std::uint64_t>(one->id));
  if (n_waiting_ > 0 || open_.empty()) changed_.notify_all();
}

}  // namespace yoke::detail
