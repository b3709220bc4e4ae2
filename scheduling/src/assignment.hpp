#pragma once
/// Which unit has which tasks, and the ways of cutting 0..n-1 into consecutive shares.

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// The tasks of each unit, ascending.
using assignment = std::vector<std::vector<task_id>>;

/// Consecutive tasks [first, last).
struct task_range {
  int first = 0;
  int last = 0;
  int size() const { return last - first; }
};

/// The i-th of `parts` even consecutive shares; the first size mod parts get one more. Exactly libomp's
/// schedule(static).
task_range even_share(task_range tasks, int part, int parts);

/// Everything evenly over all units, as `static` does.
assignment even_split(int n_tasks, int n_units);

/// Unit of every task.
std::vector<unit_id> to_map(const assignment& shares, int n_tasks);

/// 0, 1, … n-1: what consecutive batches are cut from.
std::vector<task_id> all_tasks(int n_tasks);

inline double weight_of(const workload& work, task_id task) {
  return work.weights.empty() ? 1.0 : work.weights[static_cast<std::size_t>(static_cast<int>(task))];
}
double weight_of(const workload& work, std::span<const task_id> tasks);

/// Container index of an id.
template <class Id>
std::size_t index(Id id) {
  return static_cast<std::size_t>(static_cast<int>(id));
}

}  // namespace yoke::scheduling
