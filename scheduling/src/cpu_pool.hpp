#pragma once
/// The tasks of all CPU CUs, handed out to whichever of them asks, anew in every pass.

#include "assignment.hpp"
#include "pool_batches.hpp"
#include "tickets.hpp"

#include <span>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Longest first, so that the last ones, for which everybody waits, are short. Thread-safe without locks.
class cpu_pool {
 public:
  cpu_pool(const assignment& shares, const workload& work, std::span<const unit> units)
      : tasks_{longest_first(of_cpus(shares, units), work)},
        batches_{batches(work, units)},
        tickets_{static_cast<int>(tasks_.size())} {}

  /// The next tasks for a CPU CU, see pool_batches.
  std::span<const task_id> next(pass_id pass) {
    const task_range taken = tickets_.take(
        pass, [&](int left) { return batches_[batches_.size() - static_cast<std::size_t>(left)]; });
    return std::span{tasks_}.subspan(static_cast<std::size_t>(taken.first),
                                     static_cast<std::size_t>(taken.size()));
  }

 private:
  static std::vector<task_id> of_cpus(const assignment& shares, std::span<const unit> units) {
    std::vector<task_id> tasks;
    for (const std::size_t cpu : units_of(unit_kind::cpu, units))
      tasks.insert(tasks.end(), shares[cpu].begin(), shares[cpu].end());
    return tasks;
  }

  std::vector<int> batches(const workload& work, std::span<const unit> units) const {
    const std::vector<std::size_t> cpus = units_of(unit_kind::cpu, units);
    std::vector<double> weights;
    for (const task_id task : tasks_) weights.push_back(weight_of(work, task));
    return cpus.empty() ? std::vector<int>{}
                        : pool_batches(weights, static_cast<int>(cpus.size()), units[cpus.front()].cpus);
  }

  std::vector<task_id> tasks_;
  std::vector<int> batches_;  ///< how many whoever asks at a position gets
  tickets tickets_;
};

}  // namespace yoke::scheduling
