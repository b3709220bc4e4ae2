#include "assignment.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace yoke::scheduling {

task_range even_share(task_range tasks, int part, int parts) {
  const int each = tasks.size() / parts;
  const int longer = tasks.size() % parts;
  const int first = tasks.first + part * each + std::min(part, longer);
  return {first, first + each + (part < longer ? 1 : 0)};
}

assignment even_split(int n_tasks, int n_units) {
  assignment shares(static_cast<std::size_t>(n_units));
  for (int unit = 0; unit < n_units; ++unit) {
    const task_range share = even_share({0, n_tasks}, unit, n_units);
    for (int task = share.first; task < share.last; ++task)
      shares[static_cast<std::size_t>(unit)].push_back(task_id{task});
  }
  return shares;
}

bool has_equal_weights(const workload& work) {
  return std::adjacent_find(work.weights.begin(), work.weights.end(), std::not_equal_to{}) ==
         work.weights.end();
}

namespace {

std::vector<task_range> split_by_weight(task_range tasks, const workload& work, int parts) {
  double total = 0;
  for (int task = tasks.first; task < tasks.last; ++task) total += weight_of(work, task_id{task});
  std::vector<task_range> shares;
  int at = tasks.first;
  double before = 0;
  for (int part = 1; part <= parts; ++part) {
    const int first = at;
    const double target = total * part / parts;
    for (; at < tasks.last; ++at) {
      const double weight = weight_of(work, task_id{at});
      if (part < parts && before + weight / 2 > target) break;
      before += weight;
    }
    shares.push_back({first, at});
  }
  return shares;
}

}  // namespace

std::vector<task_range> split(task_range tasks, const workload& work, int parts) {
  if (!has_equal_weights(work)) return split_by_weight(tasks, work, parts);
  std::vector<task_range> shares;
  for (int part = 0; part < parts; ++part) shares.push_back(even_share(tasks, part, parts));
  return shares;
}

std::vector<std::size_t> units_of(unit_kind kind, std::span<const unit> units) {
  std::vector<std::size_t> result;
  for (std::size_t u = 0; u < units.size(); ++u)
    if (units[u].kind == kind) result.push_back(u);
  return result;
}

namespace {

/// What a processor of a GPU does, in CPUs: 1.6 to 3.8 on an H200 (SP-MZ and BT-MZ, classes C and D).
constexpr double cpus_of_processor = 3;

}  // namespace

double promised_pcf(std::span<const unit> units) {
  double n_cpu_units = 0, n_cpus = 0, n_gpus = 0, n_processors = 0;
  for (const unit& u : units) {
    const bool gpu = u.kind == unit_kind::gpu;
    n_cpu_units += gpu ? 0 : 1;
    n_cpus += gpu ? 0 : u.cpus;
    n_gpus += gpu ? 1 : 0;
    n_processors += gpu && u.processors > 1 ? u.processors : 0;
  }
  if (n_gpus == 0 || n_cpu_units == 0) return 1;
  return std::max(1.0, cpus_of_processor * (n_processors / n_gpus) / (n_cpus / n_cpu_units));
}

double provisional_pcf(std::span<const unit> units) {
  const std::size_t n_cpu_units = units_of(unit_kind::cpu, units).size();
  const std::size_t n_gpus = units.size() - n_cpu_units;
  if (n_gpus == 0 || n_cpu_units == 0) return 1;
  return std::max(promised_pcf(units), static_cast<double>(n_cpu_units) / static_cast<double>(n_gpus));
}

int tasks_on(unit_kind kind, const assignment& shares, std::span<const unit> units) {
  std::size_t tasks = 0;
  for (const std::size_t u : units_of(kind, units)) tasks += shares[u].size();
  return static_cast<int>(tasks);
}

void give_each_kind_a_task(assignment& shares, std::span<const unit> units) {
  for (const unit_kind kind : {unit_kind::cpu, unit_kind::gpu}) {
    const std::vector<std::size_t> takers = units_of(kind, units);
    if (takers.empty() || tasks_on(kind, shares, units) > 0) continue;
    const auto giver = std::max_element(shares.begin(), shares.end(),
                                        [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const unit_kind other = kind == unit_kind::cpu ? unit_kind::gpu : unit_kind::cpu;
    if (tasks_on(other, shares, units) < 2) return;
    shares[takers.front()].push_back(giver->back());
    giver->pop_back();
  }
}

std::vector<unit_id> to_map(const assignment& shares, int n_tasks) {
  std::vector<unit_id> map(static_cast<std::size_t>(n_tasks));
  for (std::size_t unit = 0; unit < shares.size(); ++unit)
    for (const task_id task : shares[unit]) map[index(task)] = unit_id{static_cast<int>(unit)};
  return map;
}

std::vector<task_id> all_tasks(int n_tasks) {
  std::vector<task_id> tasks;
  tasks.reserve(static_cast<std::size_t>(n_tasks));
  for (int task = 0; task < n_tasks; ++task) tasks.push_back(task_id{task});
  return tasks;
}

std::vector<task_id> longest_first(std::vector<task_id> tasks, const workload& work) {
  const auto comes_first = [&](task_id a, task_id b) {
    return std::pair{-weight_of(work, a), a} < std::pair{-weight_of(work, b), b};
  };
  if (!std::is_sorted(tasks.begin(), tasks.end(), comes_first))
    std::sort(tasks.begin(), tasks.end(), comes_first);
  return tasks;
}

double usual_weight(const workload& work) {
  return weight_of(work, all_tasks(work.n_tasks)) / std::max(work.n_tasks, 1);
}

}  // namespace yoke::scheduling
