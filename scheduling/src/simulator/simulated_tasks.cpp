#include "task_simulation.hpp"

#include <algorithm>
#include <limits>

#include <yoke/simulated_tasks.hpp>

namespace yoke::scheduling {

namespace {

void tell_times(task_binder& binder, const kind_times_by_unit& times) {
  for (std::size_t k = 0; k < times.size(); ++k)
    for (std::size_t u = 0; u < times[k].size(); ++u)
      binder.expect(static_cast<int>(k), unit_id{static_cast<int>(u)}, times[k][u]);
}

constexpr seconds without_end = std::numeric_limits<seconds>::infinity();

/// What all CPU CUs together would take for a task, or all GPU CUs, at the speed of the fastest.
struct two_times {
  seconds cpu = without_end, gpu = without_end;
};

std::vector<two_times> shared_times(const graph_view& graph) {
  double n_cpus = 0, n_gpus = 0;
  for (std::size_t u = 0; u < graph.machine().n_units(); ++u) ++(graph.machine().is_cpu(u) ? n_cpus : n_gpus);
  std::vector<two_times> tasks(graph.n_tasks());
  for (std::size_t t = 0; t < tasks.size(); ++t)
    for (const int u : graph.units(t)) {
      const bool is_cpu = graph.machine().is_cpu(static_cast<std::size_t>(u));
      const seconds time = graph.time(t, u) * graph.task(t).cpus / (is_cpu ? n_cpus : n_gpus);
      seconds& side = is_cpu ? tasks[t].cpu : tasks[t].gpu;
      side = std::min(side, time);
    }
  return tasks;
}

/// Whatever part of each task runs where, the longer side takes no less than the mean of both with any
/// weights, and that no less than this.
seconds least_with(std::span<const two_times> tasks, double weight_of_cpus) {
  seconds sum = 0;
  for (const two_times& each : tasks)
    sum += std::min(weight_of_cpus * each.cpu, (1 - weight_of_cpus) * each.gpu);
  return sum;
}

/// With the weights for which that is most: it is concave, so that thirds are cut off.
seconds least_by_work(const graph_view& graph) {
  const std::vector<two_times> tasks = shared_times(graph);
  double low = 0x1p-50, high = 1 - low;
  for (int i = 0; i < 80; ++i) {
    const double third = (high - low) / 3;
    (least_with(tasks, low + third) < least_with(tasks, high - third) ? low += third : high -= third);
  }
  return least_with(tasks, (low + high) / 2);
}

}  // namespace

task_run run_tasks(const task_machine& machine, std::span<const recorded_task> tasks,
                   const kind_times_by_unit& times, const task_run_options& how) {
  const graph_view graph{machine, tasks, times};
  task_binder binder{machine};
  if (how.knows_times) tell_times(binder, times);
  return task_simulation{graph, binder}.run(how.is_recorded ? plan_tasks(machine, tasks, times).tasks
                                                            : std::vector<planned_task>{});
}

seconds least_makespan(const task_machine& machine, std::span<const recorded_task> tasks,
                       const kind_times_by_unit& times) {
  const graph_view graph{machine, tasks, times};
  const std::vector<double> ways = graph.ways_to_end({.is_least = true, .has_copies = false});
  return std::max(ways.empty() ? 0 : std::ranges::max(ways), least_by_work(graph));
}

}  // namespace yoke::scheduling
