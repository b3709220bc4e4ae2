// What is told.
#include "task_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/number_range.hpp>
#include <yoke/openmp.hpp>

namespace yoke::detail {

namespace {

/// Between the host and any device, bytes/s and seconds a copy: what a PCIe slot of sixteen lanes gives at
/// least.
constexpr link_speed of_any_device{10e9, 10e-6};
/// As the binder takes them.
constexpr number_range works{.least = 1e-40, .most = 1e40};
/// Until so many the clock counts.
constexpr number_range bounds{.least = 1e-9, .most = 1e9};

}  // namespace

scheduling::task_machine machine_of(runtime& rt) {
  scheduling::task_machine machine{.units = rt.schedule_units()};
  for (int space = 1; space < rt.memory().n_spaces(); ++space)
    for (const auto& [from, to] : {std::pair{host_space, space_id{space}}, {space_id{space}, host_space}})
      machine.ways.push_back({from, to, of_any_device});
  return machine;
}

task_core::task_core(runtime& rt)
    : live_{rt.units().live_size()},
      rt_{rt},
      engine_{flow::runtime_engine::of(rt)},
      has_devices_{rt.memory().n_spaces() > 1},
      binder_{machine_of(rt)},
      units_(static_cast<std::size_t>(rt.units().size())) {
  for (const compute_unit& each : rt.units().all())
    (each.kind == unit_kind::cpu ? cpus_ : gpus_).push_back(each.id);
}

std::shared_ptr<task_core> task_core::of(runtime& rt) {
  auto made = std::make_shared<task_core>(rt);
  made->records_->owner = made;
  return made;
}

/// `who` does, or is done, `what`: put together where it is refused, for each task comes here.
void task_core::refuse(std::string_view who, std::string_view what) const {
  refuse_in_forked_child();
  if (!has_runtime()) return;  // there is no task that is not over
  if (engine_.get().is_in_work())
    throw usage_error{
        fmt::format("{}{} in a task, which must not tell of tasks nor wait for any", who, what)};
  if (openmp::in_region())
    throw usage_error{fmt::format(
        "{}{} inside a parallel region, of a run or of the program; do it outside of that", who, what)};
}

region_table& task_core::memory(std::string_view name) const {
  if (has_runtime()) return rt_.memory();
  throw usage_error{fmt::format("{}: told, but the runtime of its group has ended", name)};
}

task_record_ptr task_core::named(std::string_view name) {
  auto made = new_record();
  made->home = records_.get();
  made->name = name;
  made->at = stage::named;
  return made;
}

std::exception_ptr task_core::error_of(const task_record_ptr& one) {
  const guard locked{*this};
  return one->error;
}

/// Of a task of another group, which is over, the error.
std::exception_ptr task_core::doom_by(const task_record_ptr& one, std::string_view name) const {
  const auto other = one == nullptr ? nullptr : one->of();
  if (other == nullptr) return one == nullptr ? nullptr : one->error;
  if (other.get() == this) return nullptr;
  if (!other->is_over(one))
    throw usage_error{
        fmt::format("{}: it is to come after {}, a task of another group; wait for that", name, one->name)};
  return other->error_of(one);
}

/// One that is listed alone: it is not to be waited for.
void task_core::refuse_recorded(const std::string& what) {
  throw usage_error{
      fmt::format("{}, which is recorded, and runs in replays; take what replay returns", what)};
}

/// Errors: usage_error.
void task_core::check_bound(const told& next) {
  const double seconds = next.options.at_most.seconds;
  if (seconds == std::numeric_limits<double>::infinity()) return;
  if (!bounds.has(seconds))
    throw usage_error{
        fmt::format("{}: at_most is {} s; {}, or infinite", next.name, seconds, bounds.accepted())};
  late_.be_ready();
}

/// Takes no lock, for it asks other groups. The error of one of theirs that it comes after.
std::exception_ptr task_core::check(const told& next, const std::vector<unit_id>& on_queue) {
  refuse(next.name, ": told");
  static_cast<void>(memory(next.name));
  if (!on_queue.empty() && !next.options.on.empty())
    throw usage_error{
        fmt::format("{}: a list of CUs in its options, and one of its queue; give one", next.name)};
  for (const auto* const list : {&on_queue, &next.options.on})
    for (const unit_id each : *list) static_cast<void>(rt_.units().at(each));
  if (!works.has(next.options.work))
    throw usage_error{fmt::format("{}: work is {}; {}", next.name, next.options.work, works.accepted())};
  check_bound(next);
  std::exception_ptr doom;
  for (const task& each : next.options.after) {
    if (each.of_ != nullptr && each.of_->is_listed() && each.of_->recorded->all != this_record.into)
      refuse_recorded(fmt::format("{}: it is to come after {}", next.name, each.of_->name));
    if (const std::exception_ptr error = doom_by(each.of_, next.name); error != nullptr) doom = error;
  }
  for (const task_use& each : next.uses) {
    if (each.order == nullptr) continue;
    std::unique_lock token{each.order->state_->lock};
    const task_record_ptr writer = each.order->state_->writer;
    token.unlock();
    const std::exception_ptr error = doom_by(writer, next.name);
    if (error != nullptr && each.as != task_role::out) doom = error;
  }
  return doom;
}

/// A new one, or that of its flag.
task_record_ptr task_core::record_for(const told& next) const {
  const task_record_ptr& flag = next.options.flag.of_;
  if (flag == nullptr) return new_record();
  if (flag->of().get() != this)
    throw usage_error{fmt::format("{}: its flag, {}, is of another group", next.name, flag->name)};
  return flag;
}

std::vector<unit_id> task_core::units_of(const told& next, const std::vector<unit_id>& on_queue,
                                         const task_record* by) const {
  const std::vector<unit_id>& own = on_queue.empty() ? next.options.on : on_queue;
  std::vector<unit_id> on = own.empty() && by != nullptr ? by->on : own;
  return next.only ? units_with_form(next, std::move(on)) : on;
}

/// Errors: usage_error where there are none.
std::vector<unit_id> task_core::units_with_form(const told& next, std::vector<unit_id> on) const {
  if (on.empty()) on = units(*next.only);
  std::erase_if(on, [&](unit_id unit) { return rt_.units().at(unit).kind != *next.only; });
  if (on.empty())
    throw usage_error{fmt::format("{}: it has a body for {} CUs alone, and may run on none of them",
                                  next.name, *next.only == unit_kind::cpu ? "CPU" : "GPU")};
  return on;
}

bool task_core::has_room(const std::vector<unit_id>& on) const {
  const auto is_free = [&](unit_id unit) { return binder_.is_free(unit); };
  if (!on.empty()) return std::ranges::any_of(on, is_free);
  return std::ranges::any_of(cpus_, is_free) || std::ranges::any_of(gpus_, is_free);
}

/// Errors: usage_error for more CPU CUs than there are.
void task_core::check_cpus(const told& next, const std::vector<unit_id>& on) const {
  if (next.options.cpus == 1) return;
  const auto is_listed = [&](unit_id unit) { return on.empty() || std::ranges::find(on, unit) != on.end(); };
  const auto n = std::ranges::count_if(cpus_, is_listed);
  if (next.options.cpus < 1 || next.options.cpus > n)
    throw usage_error{fmt::format("{}: cpus is {}; from 1 to {}, the CPU CUs that it may run on", next.name,
                                  next.options.cpus, std::max(n, std::ptrdiff_t{1}))};
}

/// Errors: usage_error for what tasks alone may do.
void task_core::check_role(const told& next, const task_use& use, record_kind kind) {
  if (kind == record_kind::task || (use.as != task_role::commute && use.by == nullptr && !use.is_present))
    return;
  throw usage_error{fmt::format(
      "{}: commute, reduce and present are roles of tasks; an agent takes in, out and inout", next.name)};
}

void task_core::fill(task_record& made, told& next, known_beside& beside) {
  made.kind = beside.kind;
  if (beside.recording != nullptr)
    made.recorded = std::make_unique<recorded_state>(recorded_state{.all = std::move(beside.recording)});
  if (beside.doom != nullptr) made.say_seldom().doom = std::move(beside.doom);
  made.home = records_.get();
  made.name = next.name;
  made.body = std::move(next.body);
  made.has_plain_body = next.has_plain_body;
  if (made.is_agent()) {
    made.agent = std::make_unique<agent_state>();
    made.agent->body = std::move(next.agent);
  }
  made.on = std::move(beside.on);
  made.priority = next.options.priority.value_or(made.by != nullptr ? made.by->priority : 0);
  made.work = next.options.work;
  made.n_units = static_cast<std::int16_t>(next.options.cpus);  // no more than there are CUs
  if (const time_bound& most = next.options.at_most; most.seconds < std::numeric_limits<double>::infinity())
    made.say_seldom().at_most = most;
  for (const known_use& each : made.uses) {
    made.commutes = made.commutes || each.as == task_role::commute;
    made.has_present = made.has_present || each.is_present;
  }
}

void task_core::add(const task_record_ptr& made) {
  made->at = stage::held;
  made->index = static_cast<std::uint32_t>(open_.size());
  open_.push_back(made);
  ++n_held_;
  if (made->by != nullptr && made->kind != record_kind::access) ++made->by->agent->n_open;
}

task_record_ptr task_core::tell(told&& next, const std::vector<unit_id>& on_queue, record_kind kind) {
  static const told_beside nothing;
  return tell(std::move(next), on_queue, kind, nothing);
}

task_record_ptr task_core::tell_where_free(told&& next, const std::vector<unit_id>& on_queue) {
  return tell(std::move(next), on_queue, record_kind::task, told_beside{.where_free = true});
}

void task_core::add_known(few<known_use, 1>& all, const told& next, record_kind kind,
                          const told_beside& beside, const task_record* by) {
  const std::vector<known_use>& there = beside.recording != nullptr ? beside.recording->uses : beside.uses;
  all.reserve(there.size() + next.uses.size());
  for (const known_use& each : there) {
    all.push_back(each);
    all.back().among = &users_for(each, by, next.name);
  }
  for (const task_use& each : next.uses) {
    check_role(next, each, kind);
    all.push_back(known(each, by, next.name));
  }
}

task_record_ptr task_core::tell(told&& next, const std::vector<unit_id>& on_queue, record_kind kind,
                                const told_beside& beside) {
  if (this_record.of == this) return list(std::move(next), on_queue, kind, beside.where_free);
  std::exception_ptr doom = check(next, on_queue);
  task_record_ptr by = agent_here();
  const task_record_ptr made = record_for(next);
  std::vector<unit_id> on = units_of(next, on_queue, by.get());
  check_cpus(next, on);
  const bool has_flag = next.options.flag.of_ != nullptr;  // then others may know the record
  few<known_use, 1> uses_of_flag;
  add_known(has_flag ? uses_of_flag : made->uses, next, kind, beside, by.get());
  known_beside known{kind,           std::move(by), std::move(on), std::move(uses_of_flag), beside.recording,
                     std::move(doom)};
  if (!has_flag) made->by = std::move(known.by), fill(*made, next, known);
  {
    const guard locked{*this};
    if (beside.where_free && !has_room(has_flag ? known.on : made->on)) return nullptr;
    take_in(made, next, known);
    bind_what_can();
    const bool is_known = made->at == stage::bound && (made->is_task() || kind == record_kind::replay);
    if (!is_known && !made->is_over()) promise(*made);
  }
  engine_.get().start();
  return made;
}

void task_core::take_in(const task_record_ptr& made, told& next, known_beside& beside) {
  const bool has_flag = next.options.flag.of_ != nullptr;
  if (has_flag && made->at != stage::named)
    throw usage_error{fmt::format("{}: its flag names {} already; one flag for each task", next.name,
                                  made->is_nothing ? "nothing, and has failed" : made->name)};
  if (has_flag) made->by = std::move(beside.by), made->uses = std::move(beside.uses);
  made->number = n_told_++;
  find_predecessors(*made, next.options.after);
  if (has_flag) refuse_circle(made), fill(*made, next, beside);
  for (const task_record_ptr& each : goes_before_) each->before.push_back(made);
  goes_before_.clear();
  add(made);
  hold(made);
  use_all(made);
  if (has_flag) has_passed(*made), wake();
  if (is_cancelled_) cancel_unbound();
}

}  // namespace yoke::detail
