// Replays that CPU CUs run by themselves.
#include "task_core.hpp"

#include <algorithm>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// Which of `all` lie in the lists of other seats than that of the step, each once.
std::vector<std::uint32_t> of_other_seats(const seat_plan& plan, std::span<const std::uint32_t> all,
                                          std::uint32_t step) {
  const auto list_of = [&](std::uint32_t at) {
    return std::ranges::find_if(plan.lists, [&](const auto& each) { return at < each.end; });
  };
  std::vector<std::uint32_t> others;
  for (const std::uint32_t each : all)
    if (list_of(each) != list_of(step)) others.push_back(each);
  std::ranges::sort(others);
  others.erase(std::ranges::unique(others).begin(), others.end());
  return others;
}

void add_uses(seat_plan& plan, seat_plan::step& step, std::span<const known_use> uses,
              const std::unordered_map<const void*, std::uint32_t>& objects) {
  step.first_use = static_cast<std::uint32_t>(plan.uses.size());
  for (const known_use& each : uses)
    if (each.is_object()) plan.uses.push_back({objects.at(each.key()), each.as});
  step.end_use = static_cast<std::uint32_t>(plan.uses.size());
}

/// What comes after what; `places` of tasks in the plan.
void add_order(seat_plan& plan, const std::vector<listed_task>& all,
               const std::vector<std::uint32_t>& places) {
  const auto places_of = [&](const std::vector<int>& tasks) {
    std::vector<std::uint32_t> found;
    for (const int each : tasks) found.push_back(places[static_cast<std::size_t>(each)]);
    return found;
  };
  std::vector<std::vector<std::uint32_t>> next(plan.steps.size());
  for (std::uint32_t at = 0; at < plan.steps.size(); ++at) {
    seat_plan::step& step = plan.steps[at];
    const listed_task& of = all[static_cast<std::size_t>(step.task)];
    const std::vector<std::uint32_t> before = of_other_seats(plan, places_of(of.comes_after), at);
    for (const std::uint32_t each : before) next[each].push_back(at);
    step.n_before = static_cast<int>(before.size());
    step.first_cause = static_cast<std::uint32_t>(plan.causes.size());
    for (const std::uint32_t each : places_of(of.after)) plan.causes.push_back(each);
    step.end_cause = static_cast<std::uint32_t>(plan.causes.size());
  }
  for (std::uint32_t at = 0; at < plan.steps.size(); ++at) {
    plan.steps[at].first_next = static_cast<std::uint32_t>(plan.next.size());
    plan.next.insert(plan.next.end(), next[at].begin(), next[at].end());
    plan.steps[at].end_next = static_cast<std::uint32_t>(plan.next.size());
  }
}

}  // namespace

bool task_core::may_run_on_any_seat(const recorded_tasks& all) const {
  const auto is_cpu = [&](const planned_step& each) { return rt_.units().at(each.unit).dev == nullptr; };
  const auto may_run = [&](const listed_task& each) {
    const auto is_listed = [&](unit_id unit) { return std::ranges::find(each.on, unit) != each.on.end(); };
    return each.on.empty() || std::ranges::all_of(cpus_, is_listed);
  };
  return std::ranges::all_of(all.steps, is_cpu) && std::ranges::all_of(all.all, may_run);
}

/// Requires steps.
void task_core::compile(recorded_tasks& all) const {
  seat_plan& plan = all.on_seats;
  plan.objects = arguments_of(all.uses);
  std::unordered_map<const void*, std::uint32_t> objects;
  for (const flow::placed_argument& each : plan.objects)
    objects.emplace(each.what.start, static_cast<std::uint32_t>(objects.size()));
  std::vector<std::uint32_t> places(all.all.size());  // of each task
  for (const unit_id unit : cpus_) {
    const auto first = static_cast<std::uint32_t>(plan.steps.size());
    for (const planned_step& each : all.steps) {
      if (each.unit != unit) continue;
      places[static_cast<std::size_t>(each.task)] = static_cast<std::uint32_t>(plan.steps.size());
      const listed_task& of = all.all[static_cast<std::size_t>(each.task)];
      plan.steps.push_back({.task = each.task, .body = &of.body});
      add_uses(plan, plan.steps.back(), of.uses, objects);
    }
    const auto end = static_cast<std::uint32_t>(plan.steps.size());
    if (end != first) plan.lists.push_back({unit, first, end});
  }
  add_order(plan, all.all, places);
}

/// False where it has to be told task by task, for then it is known which of them cannot be.
bool task_core::start_on_seats(const task_record_ptr& one, const std::vector<flow::completion>& after,
                               const std::vector<flow::completion>& behind) {
  const seat_plan& plan = one->recorded->all->on_seats;
  if (plan.lists.empty()) return false;
  std::vector<flow::completion> before = behind;
  std::vector<flow::shared_use::state> states;
  std::optional<flow::shared_use> objects;
  if (!plan.objects.empty()) {
    try {
      objects.emplace(engine_, plan.objects);
      before.push_back(objects->begin(one->name, states));
    } catch (...) {
      return false;
    }
  }
  const auto run = std::make_shared<replay_run>(plan, one->recorded->all, std::move(states));
  one->recorded->n_running = static_cast<int>(plan.lists.size() + plan.objects.size());
  const auto when_over = [self = shared_from_this(), one, run](const std::exception_ptr& error) {
    self->part_is_over(one, *run, error);
  };
  for (std::size_t i = 0; i < plan.lists.size(); ++i) {
    const compute_unit& unit = rt_.units().at(plan.lists[i].unit);
    const auto work = [this, run, i, &unit](const flow::site&) {
      watch_end_of_thread();
      run->work(i, unit, versions_of(rt_.memory()));
    };
    one->recorded->ends.push_back(engine_.tell(engine_.lane_of(unit.id), host_space,
                                               std::make_shared<flow::plan>(flow::plan{one->name, work}), {},
                                               {after, before}, when_over));
  }
  end_on_seats(one, run, objects ? &*objects : nullptr, after);
  return true;
}

/// Whoever uses an object later comes behind all seats, and fails with what has failed to write it.
void task_core::end_on_seats(const task_record_ptr& one, const std::shared_ptr<replay_run>& run,
                             flow::shared_use* objects, const std::vector<flow::completion>& after) {
  const seat_plan& plan = one->recorded->all->on_seats;
  const std::vector<flow::completion> all_work = one->recorded->ends;
  for (std::size_t i = 0; i < plan.objects.size(); ++i) {
    const auto tell_error = [run, i](const flow::site&) {
      if (!run->has_run()) throw error{"a replay: no CPU CU has run it"};
      if (const std::exception_ptr why = run->error_of(i); why != nullptr) std::rethrow_exception(why);
    };
    one->recorded->ends.push_back(
        objects->end(engine_.lane_of(plan.lists[0].unit), i,
                     std::make_shared<flow::plan>(flow::plan{one->name, tell_error}), {after, all_work},
                     [self = shared_from_this(), one, run](const std::exception_ptr& error) {
                       self->part_is_over(one, *run, error);
                     }));
  }
}

void task_core::part_is_over(const task_record_ptr& one, const replay_run& run,
                             const std::exception_ptr& error) {
  const task_core* const outer = std::exchange(ends_task_of, this);
  {
    const guard locked{*this};
    if (error != nullptr && one->recorded->error == nullptr) one->recorded->error = error;
    if (--one->recorded->n_running == 0) {
      one->recorded->ends.clear();
      close(one, run.has_run() ? run.first_error() : one->recorded->error);
      bind_what_can();
    }
  }
  ends_task_of = outer;
}

}  // namespace yoke::detail
