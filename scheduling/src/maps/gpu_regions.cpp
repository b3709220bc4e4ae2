#include "gpu_regions.hpp"

#include "finish.hpp"
#include "partition.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

/// So much of a pass is nothing beside its noise.
constexpr double nothing = 1.005;
/// Of the bytes between memories.
constexpr double clearly_fewer = 0.9;

/// The GPU CUs and their tasks, numbered anew.
struct gpu_problem {
  std::vector<std::size_t> unit_of;  ///< in the whole
  std::vector<task_id> task_of;
  workload work;
  std::vector<unit> units;
  std::vector<speed> speeds;
  assignment shares;
};

/// Edges with both ends among the tasks of GPU CUs.
std::vector<edge> edges_among(std::span<const task_id> tasks, const workload& work) {
  std::vector<int> number(static_cast<std::size_t>(work.n_tasks), -1);
  for (std::size_t n = 0; n < tasks.size(); ++n) number[index(tasks[n])] = static_cast<int>(n);
  std::vector<edge> found;
  for (const edge& each : work.edges) {
    const int from = number[index(each.from)], to = number[index(each.to)];
    if (from >= 0 && to >= 0) found.push_back({task_id{from}, task_id{to}, each.bytes});
  }
  return found;
}

gpu_problem problem_of_gpus(const assignment& shares, const workload& work, std::span<const unit> units,
                            std::span<const speed> speeds) {
  gpu_problem own;
  own.unit_of = units_of(unit_kind::gpu, units);
  for (const std::size_t gpu : own.unit_of) {
    own.task_of.insert(own.task_of.end(), shares[gpu].begin(), shares[gpu].end());
    own.units.push_back(units[gpu]);
    own.speeds.push_back(speeds[gpu]);
  }
  std::ranges::sort(own.task_of);
  own.work.n_tasks = static_cast<int>(own.task_of.size());
  own.work.links = work.links;
  own.work.edges = edges_among(own.task_of, work);
  for (const task_id task : own.task_of) own.work.weights.push_back(weight_of(work, task));
  for (const std::size_t gpu : own.unit_of) {
    own.shares.emplace_back();
    for (const task_id task : shares[gpu]) {
      const auto at = std::ranges::lower_bound(own.task_of, task);
      own.shares.back().push_back(task_id{static_cast<int>(at - own.task_of.begin())});
    }
  }
  return own;
}

bool is_one_memory(std::span<const unit> units) {
  return std::ranges::all_of(units, [&](const unit& u) { return u.space == units.front().space; });
}

}  // namespace

assignment with_gpu_regions(assignment shares, const workload& work, std::span<const unit> units,
                            std::span<const speed> speeds) {
  if (work.edges.empty()) return shares;
  const gpu_problem own = problem_of_gpus(shares, work, units, speeds);
  if (own.task_of.empty() || is_one_memory(own.units)) return shares;
  const exchange_rates rates = usual_rates(work);
  const partition_plan now = cost_of(own.shares, own.work, own.units, own.speeds, rates);
  const partition_plan cut = partition(own.shares, own.work, own.units, own.speeds, rates);
  const seconds here = makespan_of(own.shares, own.work, own.units, own.speeds),
                there = makespan_of(cut.shares, own.work, own.units, own.speeds);
  const bool is_shorter = nothing * cut.makespan < now.makespan;
  const bool is_alike = there <= nothing * here && cut.cut_bytes < clearly_fewer * now.cut_bytes;
  if (!is_shorter && !is_alike) return shares;
  for (std::size_t n = 0; n < own.unit_of.size(); ++n) {
    std::vector<task_id>& share = shares[own.unit_of[n]];
    share.clear();
    for (const task_id task : cut.shares[n]) share.push_back(own.task_of[index(task)]);
  }
  return shares;
}

}  // namespace yoke::scheduling
