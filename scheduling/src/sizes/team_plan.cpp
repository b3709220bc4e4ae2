#include <algorithm>
#include <cstddef>
#include <utility>

#include <yoke/team_plan.hpp>

namespace yoke::scheduling {

namespace {

double weight_of(std::span<const double> weights, task_id task) {
  return weights[static_cast<std::size_t>(task)];
}

std::vector<task_id> largest_first(std::span<const task_id> batch, std::span<const double> weights) {
  std::vector<task_id> tasks{batch.begin(), batch.end()};
  std::ranges::sort(tasks, [&](task_id a, task_id b) {
    return std::pair{-weight_of(weights, a), a} < std::pair{-weight_of(weights, b), b};
  });
  return tasks;
}

/// Each of `tasks` to the thread that has least so far; adds what the longest one takes.
void deal(std::span<const task_id> tasks, std::span<const double> weights, team_plan& plan) {
  std::vector<double> load(plan.own.size());
  for (const task_id task : tasks) {
    const auto least = std::ranges::min_element(load);
    *least += weight_of(weights, task);
    plan.own[static_cast<std::size_t>(least - load.begin())].push_back(task);
  }
  plan.time += *std::ranges::max_element(load);
}

}  // namespace

double team_model::time_of(double weight, int cpus) const {
  const double fixed = std::min(weight, fixed_share * weight + fixed_weight);
  const double even = 1.0 / cpus;
  const double most = pieces > 0 ? static_cast<double>((pieces + cpus - 1) / cpus) / pieces : even;
  return fixed + (weight - fixed) * (even + most) / 2;
}

team_plan plan_team(std::span<const task_id> batch, std::span<const double> weights, int n_threads,
                    const team_model& team) {
  const std::vector<task_id> tasks = largest_first(batch, weights);
  const std::size_t most = n_threads > 1 ? std::min(tasks.size(), static_cast<std::size_t>(n_threads)) : 0;
  team_plan best;
  double shared_time = 0;
  for (std::size_t n_shared = 0; n_shared <= most; ++n_shared) {
    if (n_shared > 0) shared_time += team.time_of(weight_of(weights, tasks[n_shared - 1]), n_threads);
    if (n_shared > 0 && shared_time >= best.time) break;
    team_plan made{std::vector<std::vector<task_id>>(static_cast<std::size_t>(n_threads)),
                   {tasks.begin(), tasks.begin() + static_cast<std::ptrdiff_t>(n_shared)},
                   shared_time};
    deal(std::span{tasks}.subspan(n_shared), weights, made);
    if (n_shared == 0 || made.time < best.time) best = std::move(made);
  }
  // Neighbours by number are neighbours in the domain: in that order what they exchange is still in the
  // cache.
  for (std::vector<task_id>& own : best.own) std::ranges::sort(own);
  return best;
}

}  // namespace yoke::scheduling
