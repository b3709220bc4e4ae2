#include "../maps/assignment.hpp"
#include "../maps/machine_limits.hpp"
#include "machine_times.hpp"
#include "simulation.hpp"

#include <algorithm>
#include <iterator>

#include <yoke/learner.hpp>
#include <yoke/simulated_machine.hpp>

namespace yoke {

namespace {

std::vector<int> groups_of(const simulated_machine& machine) {
  std::vector<int> groups;
  for (const simulated_unit& each : machine.units) groups.push_back(each.group);
  return groups;
}

/// Of each unit the first task of its first map; where no map is known, the tasks from the first on. `of`:
/// the plan.
void rehearse(schedule& plan, learner& of, const workload& work, const simulated_machine& machine,
              scheduling::machine_times& times) {
  plan.prepare(0);
  const std::vector<unit_id> map = plan.plan_of(0).map;
  for (int u = 0; u < std::ssize(machine.units); ++u) {
    const auto own = std::ranges::find(map, unit_id{u});
    const task_id task{map.empty() ? u : static_cast<int>(own - map.begin())};
    if (task < work.n_tasks)
      of.rehearsed(unit_id{u}, yoke::weight_of(work, task), times.rehearsal(unit_id{u}, task));
  }
}

/// Of a task that ran nowhere: host memory.
space_id space_of(task_id task, std::span<const unit_id> map, std::span<const unit> units) {
  const unit_id unit = map.empty() ? unit_id{} : map[scheduling::index(task)];
  return unit < 0 ? host_space : units[scheduling::index(unit)].space;
}

}  // namespace

double slowdown_at(const slowdown& by, int active) {
  if (by.empty()) return 1;
  const auto above = std::ranges::lower_bound(by, active, {}, &std::pair<int, double>::first);
  if (above == by.begin()) return by.front().second;
  if (above == by.end()) return by.back().second;
  const auto [x0, y0] = *std::prev(above);
  const auto [x1, y1] = *above;
  return y0 + (y1 - y0) * (active - x0) / (x1 - x0);
}

std::vector<unit> simulated_machine::seen() const {
  std::vector<unit> all;
  for (const simulated_unit& each : units) all.push_back(each.seen);
  return all;
}

std::vector<speed> simulated_machine::speeds(std::span<const int> active) const {
  const std::vector<int> groups = groups_of(*this);
  std::vector<speed> all;
  for (const simulated_unit& each : units) {
    const auto group = static_cast<std::size_t>(each.group);
    const int at_work =
        active.empty() ? static_cast<int>(std::ranges::count(groups, each.group)) : active[group];
    const double factor = group < slowdowns.size() ? slowdown_at(slowdowns[group], at_work) : 1;
    all.push_back({each.alone.launch * factor, each.alone.per_weight * factor});
  }
  return all;
}

std::vector<simulated_pass> simulate(schedule& plan, const workload& work, const simulated_machine& machine,
                                     const simulation_options& how) {
  scheduling::check_machine(machine);
  scheduling::machine_times times{machine, work, how.data};
  scheduling::simulation_rules rules{.time = std::ref(times),
                                     .groups = groups_of(machine),
                                     .slowdowns = machine.slowdowns,
                                     .is_away = {},
                                     .watcher = how.watcher,
                                     .warms_up = how.warm_up};
  if (work.waits_late)
    for (const simulated_unit& each : machine.units)
      rules.waits_late.push_back(each.seen.kind == unit_kind::gpu ? 1 : 0);
  if (!machine.changes.empty())
    rules.is_away = [&](unit_id unit, pass_id pass) { return times.is_away(unit, pass); };
  if (learner* const of = plan.learning(); how.rehearse && of != nullptr && of->wants_rehearsal())
    rehearse(plan, *of, work, machine, times);
  return scheduling::simulation{plan, work, static_cast<int>(machine.units.size()), rules}.run(how.passes,
                                                                                               how.order);
}

std::size_t exchanged_bytes(std::span<const unit_id> map, const workload& work, std::span<const unit> units) {
  std::size_t bytes = 0;
  for (const edge& e : work.edges)
    if (space_of(e.from, map, units) != space_of(e.to, map, units)) bytes += e.bytes;
  return bytes;
}

std::size_t moved_bytes(std::span<const unit_id> before, std::span<const unit_id> after, const workload& work,
                        std::span<const unit> units) {
  if (work.bytes.empty()) return 0;
  std::size_t bytes = 0;
  for (int n = 0; n < work.n_tasks; ++n) {
    const task_id task{n};
    if (space_of(task, before, units) != space_of(task, after, units))
      bytes += work.bytes[scheduling::index(task)];
  }
  return bytes;
}

}  // namespace yoke
