#include "graph_view.hpp"
#include "plan_builder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <yoke/task_plan.hpp>

namespace yoke::scheduling {

namespace {

/// What is far from the end first.
std::vector<int> order_of(const graph_view& graph, way_to_end how) {
  const std::vector<double> rank = graph.ways_to_end(how);
  std::vector<int> order(graph.n_tasks());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {},
                    [&](int task) { return std::pair{-rank[static_cast<std::size_t>(task)], task}; });
  return order;
}

task_plan plan_by(const graph_view& graph, way_to_end how) {
  plan_builder builder{graph};
  for (const int task : order_of(graph, how)) builder.place(task);
  return std::move(builder).get();
}

}  // namespace

task_plan heft(const task_machine& machine, std::span<const recorded_task> tasks,
               const kind_times_by_unit& times) {
  return plan_by(graph_view{machine, tasks, times}, {});
}

task_plan plan_tasks(const task_machine& machine, std::span<const recorded_task> tasks,
                     const kind_times_by_unit& times) {
  const graph_view graph{machine, tasks, times};
  task_plan best;
  for (const bool is_least : {false, true})
    for (const bool has_copies : {true, false}) {
      task_plan next = plan_by(graph, {.is_least = is_least, .has_copies = has_copies});
      if (best.tasks.empty() || next.makespan < best.makespan) best = std::move(next);
    }
  return best;
}

}  // namespace yoke::scheduling
