// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A machine in virtual time: what its units can do, and what goes wrong on it.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <yoke/link_speed.hpp>
#include <yoke/schedule.hpp>
#include <yoke/simulator.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke {

/// How many times longer a batch takes while so many units of its group are at work: pairs (units, factor),
/// ascending, linear between two and constant outside. Empty: they do not disturb each other.
using slowdown = std::vector<std::pair<int, double>>;
double slowdown_at(const slowdown& by, int active);

/// One unit: what schedules are told of it, and what is true.
struct simulated_unit {
  unit seen{};           ///< as schedules see it
  speed alone{};         ///< while no other unit of its group is at work
  int group = 0;         ///< units of a group slow each other down
  double noise = 0;      ///< relative deviation of a batch's time, log-normal with mean 1
  double drift = 0;      ///< deviation of the step that the logarithm of its speed makes from pass to pass
  link_speed to_host{};  ///< of a unit with a memory of its own
};

/// From `pass` on the unit is `speed` times as fast as it was made; 0: it is gone and asks for nothing.
struct speed_change {
  unit_id unit;
  pass_id pass = 0;
  double speed = 1;
};

/// The same machine gives the same times each time: all noise comes from `seed`.
struct simulated_machine {
  std::vector<simulated_unit> units{};
  std::vector<slowdown> slowdowns{};    ///< by group; groups without one: none
  link_speed between_devices{};         ///< bandwidth 0: copies between two devices go through host memory
  std::vector<speed_change> changes{};  ///< of one unit in ascending order of passes
  std::uint64_t seed = 1;

  /// For scheduling::make.
  std::vector<unit> seen() const;
  /// Mean speeds while as many units of each group as `active` says are at work; empty: all of them.
  std::vector<speed> speeds(std::span<const int> active = {}) const;
};

/// Where each task's data are before pass 0: in host memory, or where the task runs first, as where a program
/// sets them up there.
enum class data_start { in_host_memory, in_place };

/// How passes are run.
struct simulation_options {
  int passes = 1;
  pass_order order = pass_order::barrier;
  batch_watcher watcher{};
  /// Before pass 0 all units run one of their tasks, untimed, and a schedule that wants it is told: as NPB-MZ
  /// does.
  bool rehearse = false;
  /// Passes come before those that count as where NPB-MZ warms up (yoke::warm_up), but take nobody's time;
  /// `workload::warms_up` says so to the schedule. Units neither drift nor change in them, and they are not
  /// among the passes returned, nor watched.
  bool warm_up = false;
  data_start data = data_start::in_host_memory;
};

/// A batch takes launch + per_weight * weight at the speed of its unit in this pass, with noise; longer where
/// others of the group are at work, by as much as they are while it runs; and before that the time of copies:
/// data of tasks that were last in another memory (`workload::bytes`), and of
/// tasks that run in a device's memory what they exchange with those in others (`workload::edges`). A task
/// that only an absent unit would have run stays undone; what else a schedule does wrong is a usage_error as
/// above. Errors: also usage_error for a machine without units, a change of a unit that it lacks, a speed
/// or rate outside of 1e-200 to 1e200 (a launch, latency, bandwidth or changed speed may be 0), a slowdown
/// outside of 1e-6 to 1e6, a noise or drift outside of 0 to 100, and a batch that takes neither nothing nor
/// 1e-40 to 1e40 s.
std::vector<simulated_pass> simulate(schedule& plan, const workload& work, const simulated_machine& machine,
                                     const simulation_options& how);

/// Bytes that tasks of this map exchange in a pass with tasks in other memories.
std::size_t exchanged_bytes(std::span<const unit_id> map, const workload& work, std::span<const unit> units);

/// Bytes of data of tasks that are in another memory under the map `after` than under `before`; where
/// `before` is empty they were in host memory.
std::size_t moved_bytes(std::span<const unit_id> before, std::span<const unit_id> after, const workload& work,
                        std::span<const unit> units);

/// A pass as short as it gets by whole maps that a search finds, and what no map can go below. Copies are
/// left out of both.
struct known_best {
  seconds found = 0;
  seconds bound = 0;  ///< as if tasks could be cut
};
/// With noise-free speeds, over as many units of each group as pay where they slow each other down. Longest
/// first, then exchanges of tasks. Cost: tasks * units for each of a group's sizes. Zeros without tasks.
/// Errors: as simulate, of single tasks.
known_best best_of(const simulated_machine& machine, const workload& work);

}  // namespace yoke
