// Which task gets which unit, and what becomes of it there.
#include "task_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/wide_team.hpp>

namespace yoke::detail {

namespace {

flow::role role_of(task_role as) {
  switch (as) {
    case task_role::in:
      return flow::role::in;
    case task_role::out:
      return flow::role::out;
    case task_role::inout:
    case task_role::commute:
      return flow::role::inout;
  }
  return flow::role::inout;
}

void add_ends(std::vector<flow::completion>& to, const task_record& of) {
  to.push_back(of.end_of_work());
  if (of.recorded != nullptr) to.insert(to.end(), of.recorded->ends.begin(), of.recorded->ends.end());
}

/// Of all groups: see hold_other_units.
constinit std::mutex one_team_at_a_time;

}  // namespace

void task_core::bind_what_can(ticks at) {
  while (true) {
    for (std::size_t i = 0; i < freed_.size(); ++i) {
      const task_record_ptr one = std::move(freed_[i]);  // there may be more meanwhile
      release(one);
    }
    freed_.clear();
    if (!binder_.may_bind()) break;
    if (at == 0) at = now();
    const auto next = binder_.bind_next(elapsed(began_, at));
    if (!next) break;
    bind(*next, at);
  }
  if (n_waiting_for_all_ > 0) fail_flags_where_stuck();
  if (!freed_.empty()) bind_what_can(at);
}

/// For who is in no call of the engine.
void task_core::bind_and_start(guard& locked) {
  while (!freed_.empty()) {
    bind_what_can();
    locked.lock.unlock();
    engine_.get().start();
    locked.lock.lock();
  }
}

/// What nothing holds any more.
void task_core::release(const task_record_ptr& one) {
  if (one->at != stage::held) return;
  --n_held_;
  switch (one->kind) {
    case record_kind::task:
      break;
    case record_kind::agent:
    case record_kind::access:
      return fetch(one);
    case record_kind::replay:
      return start_steps(one);
    case record_kind::joint:
      return join(one);
  }
  try {
    if (one->has_present) one->on = units_where_present(*one);
  } catch (...) {
    one->at = stage::bound;
    fail_untold(one, std::current_exception());
    keep_promise(*one);
    return has_passed(*one);
  }
  tell_binder(one);
}

/// What it stands for is over.
void task_core::join(const task_record_ptr& one) {
  one->at = stage::bound;
  const auto has_failed = [](const task_record_ptr& each) { return each->error != nullptr; };
  const auto after = one->after();
  const auto first = std::ranges::find_if(after, has_failed);
  close(one, first == after.end() ? nullptr : (*first)->error);
}

/// Of many tasks one after the other one name is that of the last.
int task_core::kind_of(std::string_view name) {
  if (last_kind_ != nullptr && last_kind_->first == name) return last_kind_->second;
  auto found = kinds_.find(name);
  if (found == kinds_.end()) found = kinds_.emplace(std::string{name}, static_cast<int>(kinds_.size())).first;
  last_kind_ = &*found;
  return found->second;
}

void task_core::tell_binder(const task_record_ptr& one) {
  piece_uses_.clear();
  for (const known_use& each : one->uses)
    if (has_devices_ && each.is_object())
      piece_uses_.push_back({reinterpret_cast<std::uintptr_t>(each.key()), each.object.bytes,
                             each.as != task_role::out, each.as != task_role::in});
  after_.clear();
  for (const task_record_ptr& each : one->before)
    if (is_in_binder(*each)) after_.push_back(each->id);
  one->id = binder_.tell({.kind = kind_of(one->name),
                          .work = one->work,
                          .priority = one->priority,
                          .cpus = one->n_units,
                          .on = one->on,
                          .after = after_,
                          .uses = piece_uses_,
                          .own = one.get()});
  one->at = stage::told;
  has_passed(*one);
}

void task_core::bind(const scheduling::task_binding& to, ticks at) {
  auto* const one = static_cast<task_record*>(to.own);
  const auto self = [&]() -> const task_record_ptr& { return open_[one->index]; };
  one->unit = to.units.front();
  if (one->n_units > 1) gather_units(*one, to.units);
  one->at = stage::bound;
  one->bound_at = at;
  auto& taken = units_[static_cast<std::size_t>(int{one->unit})].taken;
  one->slot = static_cast<std::int8_t>(std::ranges::find(taken, false) - taken.begin());
  taken[static_cast<std::size_t>(one->slot)] = true;
  if (!has_open_before(*one)) start(*one, at);
  try {
    if (!give_to_streak(self())) enqueue(task_record_ptr{self()});
  } catch (...) {
    fail_untold(task_record_ptr{self()}, std::current_exception());
  }
  for (known_use& each : one->uses) each.previous = nullptr;
  keep_promise(*one);
  has_passed(*one);
}

/// The binder's estimates of its unit begin here.
void task_core::start(task_record& one, ticks at) {
  one.has_started = true;
  binder_.started(one.id, elapsed(began_, at));
}

std::shared_ptr<const flow::plan> task_core::plan_of(const task_record_ptr& one) {
  return std::make_shared<flow::plan>(
      flow::plan{one->name, [this, one](const flow::site& at) { run(*one, at); }});
}

void task_core::run(task_record& one, const flow::site& at) {
  if (!one.has_started) {
    const std::lock_guard locked{lock_};  // in a task no bodies of others are to go
    start(one, now());
  }
  if (const time_bound* const most = one.at_most(); most != nullptr)
    late_.begins(&one, {one.name, one.unit, most->seconds}, *most);
  const ticks from = now();
  run_body(one, at);
  if (at.dev == nullptr) one.ran = elapsed(from, now());
}

void task_core::run_body(task_record& one, const flow::site& at) {
  watch_end_of_thread();
  const compute_unit& unit = rt_.units().at(one.unit);
  unit_team* const team = one.team();
  if (team == nullptr) {
    task_context me{unit, at.stream};
    return one.body(me, at.addresses.data());
  }
  const bool are_kept = engine_.get().keep_seats();
  team->gather([this] { return engine_.get().has_given_cpus(); });
  if (are_kept) engine_.get().let_seats_go();
  const wide_team cpus{team->cpus, team->own};
  task_context me{unit, at.stream, static_cast<int>(team->cpus.size())};
  one.body(me, at.addresses.data());
}

std::vector<flow::placed_argument> task_core::arguments_of(std::span<const known_use> uses) {
  std::vector<flow::placed_argument> all;
  for (const known_use& each : uses)
    if (each.is_object()) all.push_back({each.object, role_of(each.as)});
  return all;
}

/// Errors: those with which it fails.
void task_core::before_of(const task_record& one, std::vector<flow::completion>& after,
                          std::vector<flow::completion>& behind) const {
  if (const std::exception_ptr doom = one.doom(); doom != nullptr) std::rethrow_exception(doom);
  for (const task_record_ptr& each : one.after()) {
    if (each->error != nullptr) std::rethrow_exception(each->error);
    add_ends(after, *each);
  }
  for (const task_record_ptr& each : one.behind()) {
    add_ends(behind, *each);
  }
}

void task_core::enqueue(const task_record_ptr& one) {
  std::vector<flow::completion> after, behind;
  before_of(*one, after, behind);
  for (const known_use& each :
       one->uses) {  // in which order they get CUs, commuters of a token have to be kept apart
    if (each.as != task_role::commute || each.is_object()) continue;
    task_record_ptr& last = each.of->last_commuter;
    if (last != nullptr) behind.push_back(last->end);
    last = one;
  }
  std::unique_lock<std::mutex> in_turn{one_team_at_a_time, std::defer_lock};
  if (one->team() != nullptr) {
    in_turn.lock();
    hold_other_units(*one, after, behind);
  }
  const bool is_gpu = rt_.units().at(one->unit).dev != nullptr;
  if (!is_gpu && may_have_streak(*one)) return begin_streak(one, {after, behind});
  one->end = engine_.tell(
      engine_.lane_of(one->unit, is_gpu ? one->slot : 0), engine_.memory_of(one->unit), plan_of(one),
      arguments_of(one->uses), {after, behind},
      [self = shared_from_this(), one](const std::exception_ptr& error) { self->is_over_now(one, error); });
}

/// It could not be told: it fails in its turn, and so does what reads what it was to write.
void task_core::fail_untold(const task_record_ptr& one, const std::exception_ptr& why) {
  std::vector<flow::completion> behind;
  for (const task_record_ptr& each : one->before) behind.push_back(each->end_of_work());
  one->end = tell_failure(
      one->name, why, arguments_of(one->uses), behind,
      [self = shared_from_this(), one](const std::exception_ptr& error) { self->is_over_now(one, error); });
}

flow::completion task_core::tell_failure(const std::string& name, const std::exception_ptr& why,
                                         std::span<const flow::placed_argument> arguments,
                                         std::span<const flow::completion> behind,
                                         const std::function<void(const std::exception_ptr&)>& when_over) {
  try {
    return engine_.tell_failure(name, why, arguments, behind, when_over);
  } catch (const usage_error&) {  // an object of a recording has ended: there is nothing to break
    return engine_.tell_failure(name, why, {}, behind, when_over);
  }
}

}  // namespace yoke::detail
