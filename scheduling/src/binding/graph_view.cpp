#include "graph_view.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include <yoke/error.hpp>
#include <yoke/number_range.hpp>

namespace yoke::scheduling {

namespace {

/// Over all pairs of units, those of one memory with them.
link_speed mean_inverse_way(const machine_view& machine) {
  link_speed sum;
  for (std::size_t a = 0; a < machine.n_units(); ++a)
    for (std::size_t b = 0; b < machine.n_units(); ++b) {
      const link_speed& way = machine.way(machine.space_of(a), machine.space_of(b));
      if (way.bandwidth == 0) continue;
      sum.bandwidth += 1 / way.bandwidth;
      sum.latency += way.latency;
    }
  const auto n = static_cast<double>(machine.n_units() * machine.n_units());
  return {sum.bandwidth / n, sum.latency / n};
}

}  // namespace

graph_view::graph_view(const task_machine& machine, std::span<const recorded_task> tasks,
                       const kind_times_by_unit& times)
    : machine_{machine}, tasks_{tasks}, times_{times}, mean_way_{mean_inverse_way(machine_)} {
  check();
  for (const recorded_task& each : tasks) units_.push_back(machine_.units_for(each.on, each.cpus));
}

void graph_view::check() const {
  for (std::size_t k = 0; k < times_.size(); ++k)
    if (times_[k].size() != machine_.n_units() || std::ranges::any_of(times_[k], [](seconds time) {
          return !(time > 0 && detail::batch_times.has(time));
        }))
      throw usage_error{fmt::format("times of kind {}: a time from {} to {} s for each of {} units", k,
                                    detail::batch_times.least, detail::batch_times.most, machine_.n_units())};
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    const recorded_task& task = tasks_[t];
    if (task.kind < 0 || static_cast<std::size_t>(task.kind) >= times_.size())
      throw usage_error{fmt::format("task {}: kind {}; kinds with times are 0 to {}", t, task.kind,
                                    static_cast<int>(times_.size()) - 1)};
    for (const int before : task.after)
      if (before < 0 || static_cast<std::size_t>(before) >= t)
        throw usage_error{fmt::format("task {}: comes after {}; one of those before it", t, before)};
  }
}

seconds graph_view::least_time(std::size_t task) const {
  seconds least = std::numeric_limits<seconds>::infinity();
  for (const int u : units(task)) least = std::min(least, time(task, u));
  return least;
}

seconds graph_view::mean_time(std::size_t task) const {
  seconds sum = 0;
  for (const int u : units(task)) sum += time(task, u);
  return sum / static_cast<double>(units(task).size());
}

/// Of what the one writes and the other reads.
seconds graph_view::mean_copy(std::size_t from, std::size_t to) const {
  seconds most = 0;
  for (const piece_use& out : task(from).uses)
    for (const piece_use& in : task(to).uses)
      if (out.writes && in.reads && out.piece == in.piece && mean_way_.bandwidth > 0)
        most = std::max(most, mean_way_.latency + static_cast<double>(in.bytes) * mean_way_.bandwidth);
  return most;
}

std::vector<double> graph_view::ways_to_end(way_to_end how) const {
  std::vector<double> ways(n_tasks(), 0);
  for (std::size_t t = n_tasks(); t-- > 0;) {
    ways[t] += how.is_least ? least_time(t) : mean_time(t);
    for (const int before : task(t).after) {
      const auto b = static_cast<std::size_t>(before);
      ways[b] = std::max(ways[b], ways[t] + (how.has_copies ? mean_copy(b, t) : 0));
    }
  }
  return ways;
}

}  // namespace yoke::scheduling
