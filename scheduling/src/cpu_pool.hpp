#pragma once
/// The tasks of all CPU CUs, handed out to whichever of them asks, anew in every pass.

#include "assignment.hpp"
#include "tickets.hpp"

#include <deque>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// A pool for each NUMA node, of the shares of its CPU CUs: who first touched the data of a share is near
/// them. A CU takes from its own node's pool, and from the next ones when that has nothing left in the pass.
/// Longest first, so that the last ones, for which everybody waits, are short. Thread-safe without locks.
class cpu_pool {
 public:
  cpu_pool(const assignment& shares, const workload& work, std::span<const unit> units);

  /// The next tasks for a CPU CU, see pool_batches.
  std::span<const task_id> next(unit_id unit, pass_id pass);

 private:
  struct node_pool {
    node_pool(std::vector<task_id> of_node, std::vector<int> sizes)
        : tasks{std::move(of_node)}, batches{std::move(sizes)}, left{static_cast<int>(tasks.size())} {}
    std::span<const task_id> next(pass_id pass);

    std::vector<task_id> tasks;
    std::vector<int> batches;  ///< how many whoever asks at a position gets
    tickets left;
  };

  std::deque<node_pool> pools_;       // counters stay where they are
  std::vector<std::size_t> pool_of_;  ///< of each unit; that of a GPU CU means nothing
};

}  // namespace yoke::scheduling
