// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Runs a schedule in virtual time: the same object that a runtime would ask, without threads or clocks.

#include <functional>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke {

/// Seconds that a batch takes on a unit: 1e-40 to 1e40, or 0, from which the schedule learns nothing.
using batch_time = std::function<seconds(unit_id, pass_id, std::span<const task_id>)>;

/// launch + per_weight * (weight of the batch), with the speed of each unit. Keeps copies of both.
batch_time linear_time(const workload& work, std::vector<speed> speeds);

/// What one pass came to.
struct simulated_pass {
  seconds begin = 0;          ///< its first batch started
  seconds end = 0;            ///< its last batch ended
  std::vector<seconds> busy;  ///< of each unit, inside batches
  std::vector<unit_id> map;   ///< unit of each task; -1: it ran nowhere
  int undone = 0;             ///< tasks that ran nowhere, which only an absent unit allows
  seconds makespan() const { return end - begin; }
};

/// What a unit that is through with a pass waits for before it begins the next one.
enum class pass_order {
  barrier,      ///< all others
  overlapping,  ///< nothing: all passes are one run, in which a schedule looks when a unit first asks
  /// Tasks of which its batch needs something: those that exchange with its own (`workload::edges`) have
  /// ended the pass before. All others only where the schedule may change its map, and after each of the
  /// first eight passes whose map is open; so NPB-MZ runs. Tasks that run nowhere are waited for until all
  /// units are past their pass. A GPU CU of a simulated machine may begin before (`workload::waits_late`):
  /// then it waits when only those tasks of its batch are left that exchange with others.
  dataflow
};

/// A batch that has ended, for traces.
struct simulated_batch {
  unit_id unit;
  pass_id pass = 0;
  std::span<const task_id> tasks;  ///< valid inside the call only
  seconds begin = 0;
  seconds end = 0;  ///< also where it waited for others in between, which is no work
};
/// Called for each batch, in the order in which they end.
using batch_watcher = std::function<void(const simulated_batch&)>;

/// Runs `passes` passes from pass 0. Asks units in the order of virtual time, at equal times in that of their
/// ids. Errors: usage_error when the schedule gives a task twice in a pass, gives one that does not exist, or
/// leaves one out, or a time is none: so it also checks a schedule of one's own.
std::vector<simulated_pass> simulate(schedule& plan, const workload& work, int n_units,
                                     const batch_time& time, int passes,
                                     pass_order order = pass_order::barrier);

}  // namespace yoke
