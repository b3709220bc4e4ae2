#pragma once
/// The tasks of all CPU CUs, handed out to whichever of them asks, anew in every pass.

#include "../maps/assignment.hpp"
#include "tickets.hpp"

#include <deque>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// A pool for each NUMA node, of the shares of its CPU CUs: who first touched the data of a share is near
/// them. Where tasks are alike, CUs of one CPU have a pool each, so that data stay in their caches from pass
/// to pass. A CU takes from its own pool, and when that has nothing left in the pass from the others, those
/// of its node first. Longest first, so that the last ones, for which everybody waits, are short. Thread-safe
/// without locks.
class cpu_pool {
 public:
  cpu_pool(const assignment& shares, const workload& work, std::span<const unit> units);

  /// The next tasks for a CPU CU, see pool_batches.
  std::span<const task_id> next(unit_id unit, pass_id pass);

 private:
  struct part {
    part(std::vector<task_id> of_part, std::vector<int> sizes)
        : tasks{std::move(of_part)}, batches{std::move(sizes)}, left{static_cast<int>(tasks.size())} {}
    std::span<const task_id> next(pass_id pass);

    std::vector<task_id> tasks;
    std::vector<int> batches;  ///< how many whoever asks at a position gets
    tickets left;
  };

  struct node {
    std::vector<std::size_t> cpus, parts;
  };
  /// A part for each CU, or one for all.
  void add(node& to, const assignment& shares, const workload& work, std::span<const unit> units);
  /// A part of the shares of these CUs.
  void add(std::span<const std::size_t> cpus, const assignment& shares, const workload& work,
           std::span<const unit> units);

  std::deque<part> parts_;                          // counters stay where they are
  std::vector<std::vector<std::size_t>> parts_of_;  ///< of each unit, in the order in which it asks
};

}  // namespace yoke::scheduling
