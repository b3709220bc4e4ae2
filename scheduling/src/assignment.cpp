#include "assignment.hpp"

#include <algorithm>

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

double weight_of(const workload& work, std::span<const task_id> tasks) {
  double total = 0;
  for (const task_id task : tasks) total += weight_of(work, task);
  return total;
}

}  // namespace yoke::scheduling
