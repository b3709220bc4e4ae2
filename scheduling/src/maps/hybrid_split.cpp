#include "hybrid_split.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

// So that 13 / 1.3 counts as 10 although 1.3 is not a binary fraction.
constexpr double rounding = 1 + 1e-12;

void deal(task_range tasks, const workload& work, const std::vector<std::size_t>& to, assignment& shares) {
  const std::vector<task_range> parts = split(tasks, work, static_cast<int>(to.size()));
  for (std::size_t i = 0; i < to.size(); ++i)
    for (int task = parts[i].first; task < parts[i].last; ++task) shares[to[i]].push_back(task_id{task});
}

}  // namespace

int tasks_within(const workload& work, double part) {
  if (has_equal_weights(work))
    return static_cast<int>(std::clamp<double>(work.n_tasks * part * rounding, 0, work.n_tasks));
  const double target = weight_of(work, all_tasks(work.n_tasks)) * part * rounding;
  int tasks = 0;
  for (double weight = 0; tasks < work.n_tasks; ++tasks) {
    weight += weight_of(work, task_id{tasks});
    if (weight > target) break;
  }
  return tasks;
}

double part_of_cpus(std::span<const unit> units, double pcf) {
  const auto n_cpus = static_cast<double>(units_of(unit_kind::cpu, units).size());
  const auto n_gpus = static_cast<double>(units_of(unit_kind::gpu, units).size());
  if (n_gpus == 0) return 1;
  return n_cpus / (n_gpus * pcf + n_cpus);
}

assignment hybrid_split(const workload& work, std::span<const unit> units, int cpu_tasks) {
  assignment shares(units.size());
  deal({0, cpu_tasks}, work, units_of(unit_kind::cpu, units), shares);
  deal({cpu_tasks, work.n_tasks}, work, units_of(unit_kind::gpu, units), shares);
  return shares;
}

bool is_hybrid(std::span<const unit> units) {
  return !units_of(unit_kind::cpu, units).empty() && !units_of(unit_kind::gpu, units).empty();
}

}  // namespace yoke::scheduling
