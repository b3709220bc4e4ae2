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

/// What a task takes where it is fastest, of all CPU CUs and of all GPU CUs.
struct two_times {
  seconds cpu = std::numeric_limits<seconds>::infinity(), gpu = cpu;
};

two_times times_of(const graph_view& graph, std::size_t task) {
  two_times least;
  for (const int u : graph.units(task)) {
    seconds& side = graph.machine().is_cpu(static_cast<std::size_t>(u)) ? least.cpu : least.gpu;
    side = std::min(side, graph.time(task, u) * graph.task(task).cpus);
  }
  return least;
}

/// Those that gain most by a GPU go there, until both sides end together; one task is cut.
seconds least_by_work(const graph_view& graph) {
  std::vector<two_times> tasks;
  double n_cpus = 0, n_gpus = 0;
  for (std::size_t u = 0; u < graph.machine().n_units(); ++u) ++(graph.machine().is_cpu(u) ? n_cpus : n_gpus);
  for (std::size_t t = 0; t < graph.n_tasks(); ++t) tasks.push_back(times_of(graph, t));
  std::ranges::sort(tasks,
                    [](const two_times& a, const two_times& b) { return a.cpu / a.gpu > b.cpu / b.gpu; });
  seconds on_cpus = 0, on_gpus = 0;
  for (std::size_t first = 0, last = tasks.size(); first < last;) {
    const bool gpu_is_next =
        tasks[last - 1].cpu == std::numeric_limits<seconds>::infinity() ||
        (n_gpus > 0 && on_gpus <= on_cpus && tasks[first].gpu < std::numeric_limits<seconds>::infinity());
    if (gpu_is_next)
      on_gpus += tasks[first++].gpu / n_gpus;
    else
      on_cpus += tasks[--last].cpu / n_cpus;
  }
  return std::min(on_cpus, on_gpus);
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
