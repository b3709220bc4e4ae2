// Tasks of a recording, told again.
#include "task_core.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/task_plan.hpp>

namespace yoke::detail {

task_record_ptr task_core::replay(const std::shared_ptr<recorded_tasks>& all) {
  refuse("a recording", ": replayed");
  if (this_record.of != nullptr) throw usage_error{"a recording: replayed while another one is made"};
  static_cast<void>(memory("a recording"));
  if (all->all.empty()) return nullptr;
  {
    const guard locked{*this};
    if (has_ended_) throw usage_error{"a recording: replayed, but its group has ended"};
    if (all->steps.empty()) make_plan(*all);
  }
  if (all->steps.empty()) return replay_one_by_one(*all);
  const task_options options;
  return tell({.name = "a replay", .options = options}, {}, record_kind::replay, {.recording = all});
}

/// So that the times of all are known next time.
task_record_ptr task_core::replay_one_by_one(const recorded_tasks& all) {
  std::vector<task> told_ones;
  for (const listed_task& each : all.all) {
    task_options options{.on = each.on, .priority = each.priority, .work = each.work};
    for (const int before : each.by_name)
      options.after.push_back(told_ones[static_cast<std::size_t>(before)]);
    task next;
    next.of_ = tell({.name = each.name, .options = options, .body = each.body}, {}, record_kind::task,
                    {.uses = each.uses});
    told_ones.push_back(std::move(next));
  }
  const task_options options{.after = std::move(told_ones)};
  return tell({.name = "a replay", .options = options}, {}, record_kind::joint, {});
}

// The plan.

/// Seconds by kind of task, and by unit; none where something is not known yet.
std::vector<std::vector<seconds>> task_core::times_of(const std::vector<int>& kinds) const {
  std::vector<std::vector<seconds>> all;
  for (const int kind : kinds) {
    all.emplace_back();
    for (const compute_unit& each : rt_.units().all()) {
      const auto time = binder_.estimate(kind, each.id);
      if (!time) return {};
      all.back().push_back(*time);
    }
  }
  return all;
}

void task_core::make_plan(recorded_tasks& all) {
  std::map<int, int> places;
  std::vector<int> kinds;
  std::vector<scheduling::recorded_task> graph;
  for (const listed_task& each : all.all) {
    const int kind = kind_of(each.name);
    const auto [at, is_new] = places.try_emplace(kind, static_cast<int>(kinds.size()));
    if (is_new) kinds.push_back(kind);
    scheduling::recorded_task next{
        .kind = at->second, .work = each.work, .on = each.on, .after = each.comes_after};
    for (const known_use& use : each.uses)
      if (use.is_object())
        next.uses.push_back({reinterpret_cast<std::uintptr_t>(use.key()), use.object.bytes,
                             use.as != task_role::out, use.as != task_role::in});
    graph.push_back(std::move(next));
  }
  const std::vector<std::vector<seconds>> times = times_of(kinds);
  if (times.empty()) return;
  std::vector<int> n_on_unit(units_.size(), 0);
  for (const scheduling::planned_task& each : scheduling::plan_tasks(machine_of(rt_), graph, times).tasks)
    all.steps.push_back(step_for(all, each.task, each.units.front(), n_on_unit));
  if (may_run_on_any_seat(all)) compile(all);
}

planned_step task_core::step_for(const recorded_tasks& all, int task, unit_id on,
                                 std::vector<int>& n_on_unit) {
  const listed_task& what = all.all[static_cast<std::size_t>(task)];
  const compute_unit& unit = rt_.units().at(on);
  planned_step made{.task = task, .unit = on};
  if (unit.dev != nullptr)
    made.slot = n_on_unit[static_cast<std::size_t>(int{on})]++ % flow::runtime_engine::queues_of_unit;
  made.what =
      std::make_shared<flow::plan>(flow::plan{what.name, [&unit, body = what.body](const flow::site& at) {
                                                watch_end_of_thread();
                                                task_context me{unit, at.stream};
                                                body(me, at.addresses.data());
                                              }});
  made.arguments = arguments_of(what.uses);
  return made;
}

// What a replay does.

void task_core::start_steps(const task_record_ptr& one) {
  one->at = stage::bound;
  const recorded_tasks& all = *one->recorded->all;
  try {
    std::vector<flow::completion> after, behind;
    before_of(*one, after, behind);
    if (!all.has_tokens) after.clear(), behind.clear();  // the engine knows who uses objects
    if (!start_on_seats(one, after, behind)) {
      one->recorded->ends.resize(all.all.size());
      one->recorded->n_running = static_cast<int>(all.steps.size());
      for (const planned_step& each : all.steps) start_step(one, each, after, behind);
    }
  } catch (...) {
    fail_untold(one, std::current_exception());
  }
  keep_promise(*one);
  has_passed(*one);
}

void task_core::start_step(const task_record_ptr& one, const planned_step& step,
                           const std::vector<flow::completion>& after_all,
                           const std::vector<flow::completion>& behind_all) {
  const listed_task& what = one->recorded->all->all[static_cast<std::size_t>(step.task)];
  std::vector<flow::completion> after = after_all, behind = behind_all;
  for (const int before : what.after) after.push_back(one->recorded->ends[static_cast<std::size_t>(before)]);
  for (const int before : what.behind)
    behind.push_back(one->recorded->ends[static_cast<std::size_t>(before)]);
  const auto when_over = [self = shared_from_this(), one, task = step.task](const std::exception_ptr& error) {
    self->step_is_over(one, task, error);
  };
  flow::completion& end = one->recorded->ends[static_cast<std::size_t>(step.task)];
  try {
    end = engine_.tell(engine_.lane_of(step.unit, step.slot), engine_.memory_of(step.unit), step.what,
                       step.arguments, {after, behind}, when_over);
  } catch (...) {
    behind.insert(behind.end(), after.begin(), after.end());
    end = tell_failure(what.name, std::current_exception(), step.arguments, behind, when_over);
  }
}

void task_core::step_is_over(const task_record_ptr& one, int task, const std::exception_ptr& error) {
  const task_core* const outer = std::exchange(ends_task_of, this);
  {
    const guard locked{*this};
    if (error != nullptr && (one->recorded->error == nullptr || task < one->recorded->place))
      one->recorded->error = error, one->recorded->place = task;
    if (--one->recorded->n_running == 0) {
      one->recorded->ends.clear();
      close(one, one->recorded->error);
      bind_what_can();
    }
  }
  ends_task_of = outer;
}

}  // namespace yoke::detail

namespace yoke {

task task_recording::replay() const { return task{core_->replay(all_)}; }
std::size_t task_recording::n_tasks() const { return all_->all.size(); }
bool task_recording::is_planned() const { return core_->is_planned(*all_); }

}  // namespace yoke
