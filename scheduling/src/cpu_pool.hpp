#pragma once
/// The tasks of all CPU CUs, handed out to whichever of them asks, anew in every pass.

#include "assignment.hpp"
#include "tickets.hpp"

#include <span>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Longest first, so that the last ones, for which everybody waits, are short. Thread-safe without locks.
class cpu_pool {
 public:
  cpu_pool(const assignment& shares, const workload& work, std::span<const unit> units)
      : tasks_{longest_first(of_cpus(shares, units), work)}, tickets_{static_cast<int>(tasks_.size())} {}

  /// The next `chunk` tasks, or fewer where fewer are left.
  std::span<const task_id> next(pass_id pass, int chunk) {
    const task_range taken = tickets_.take(pass, [&](int) { return chunk; });
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

  std::vector<task_id> tasks_;
  tickets tickets_;
};

}  // namespace yoke::scheduling
