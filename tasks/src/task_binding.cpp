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
  try {
    enqueue(one);
  } catch (...) {
    fail_untold(one, std::current_exception());
  }
  keep_promise(*one);
}

std::shared_ptr<const flow::plan> task_core::plan_of(const task_record_ptr& one) const {
  const compute_unit& unit = rt_.units().at(one->unit);
  return std::make_shared<flow::plan>(flow::plan{one->name, [&unit, one](const flow::site& at) {
                                                   const ticks from = now();
                                                   one->has_begun = true;
                                                   task_context me{unit, at.stream};
                                                   one->body(me, at.addresses.data());
                                                   if (unit.dev == nullptr) one->ran = elapsed(from, now());
                                                 }});
}

void task_core::enqueue(const task_record_ptr& one) {
  std::vector<flow::placed_argument> arguments;
  for (const task_use& each : one->uses)
    if (each.object != nullptr) arguments.push_back({each.object, role_of(each.as)});
  std::vector<flow::completion> after, behind;
  for (const task_record_ptr& each : one->after) {
    if (each->error != nullptr) std::rethrow_exception(each->error);
    after.push_back(each->end);
  }
  for (const task_record_ptr& each : one->behind) behind.push_back(each->end);
  const bool is_gpu = rt_.units().at(one->unit).dev != nullptr;
  one->end = engine_.tell(
      engine_.lane_of(one->unit, is_gpu ? one->slot : 0), engine_.memory_of(one->unit), plan_of(one),
      arguments, {after, behind},
      [self = shared_from_this(), one](const std::exception_ptr& error) { self->is_over_now(one, error); });
}

/// It could not be told: it fails in its turn, and so does what reads what it was to write.
void task_core::fail_untold(const task_record_ptr& one, const std::exception_ptr& why) {
  one->has_begun =
      std::ranges::none_of(one->after, [&](const task_record_ptr& each) { return each->error == why; });
  std::vector<flow::placed_argument> arguments;
  for (const task_use& each : one->uses)
    if (each.object != nullptr) arguments.push_back({each.object, role_of(each.as)});
  one->end = engine_.tell_failure(
      one->name, why, arguments,
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

void task_core::close(const task_record_ptr& one, const std::exception_ptr& error) {
  one->at = task_record::stage::over;
  one->error = error;
  keep_promise(*one);
  let_go(*one);
  one->after.clear();
  one->behind.clear();
  one->body = {};
  one->uses = {};
  open_.erase(static_cast<std::uint64_t>(one->id));
  if (error != nullptr && one->has_begun) untold_.push_back(one);
  if (n_waiting_ > 0 || open_.empty()) changed_.notify_all();
}

}  // namespace yoke::detail
