// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How the threads of a CPU compute unit share the tasks of a batch.

#include <span>
#include <vector>

#include <yoke/ids.hpp>

namespace yoke::scheduling {

/// What several CPUs make of one task: a share of it stays as it is on one (Amdahl's law), since they wait
/// for each other and have shares of different sizes, and that weighs more in small tasks.
struct team_model {
  double fixed_share =
      0.2;  ///< of a large task: 0 where a team is as fast as it has CPUs, 1 where it gains nothing
  double fixed_weight = 0;  ///< further, as much as a task of this weight takes alone
  int pieces = 0;           ///< equal ones, as planes, that half of the rest comes in; 0: it is cut anywhere

  /// Of a task of `weight` by `cpus`, where a task of weight 1 takes 1 alone.
  double time_of(double weight, int cpus) const;
  friend bool operator==(const team_model&, const team_model&) = default;
};

/// Threads that each have tasks of their own wait for each other once a batch; a team on one task waits
/// within it too. So most tasks go to single threads, and only those that would leave threads idle to the
/// whole team.
struct team_plan {
  std::vector<std::vector<task_id>> own;  ///< by thread
  std::vector<task_id> shared;            ///< by all threads together, after their own
  double time = 0;                        ///< expected, where a task of weight 1 takes 1 alone
};

/// The plan with the shortest expected time, among those that share some of the largest tasks and deal out
/// the others longest first. `weights` are by task. Requires n_threads >= 1. Pure. Cost: some
/// min(tasks, threads) * tasks * threads steps.
team_plan plan_team(std::span<const task_id> batch, std::span<const double> weights, int n_threads,
                    const team_model& team = {});

}  // namespace yoke::scheduling
