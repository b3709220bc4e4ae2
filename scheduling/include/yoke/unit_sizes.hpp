// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How many CPUs a CPU compute unit should have, from the tasks that they will run.

#include <span>

#include <yoke/ids.hpp>
#include <yoke/team_plan.hpp>

namespace yoke::scheduling {

/// N units of M CPUs.
struct unit_sizes {
  int units = 0;
  int cpus_each = 0;
  /// A pass, if all of the work on one CPU takes 1: by whoever is free takes the next tasks, the longest
  /// first, as many as a pool would give (see pool_batches).
  double pass = 0;
  /// So much longer it is because CPUs are not alike: 1.25 of 16 CPUs that have one task each and all wait
  /// for the slowest, else 1.
  double waiting = 1;
  double in_all() const { return pass * waiting; }
  friend bool operator==(const unit_sizes&, const unit_sizes&) = default;
};

/// What is predicted for units of `cpus_each` CPUs, of which `cpus` make as many as fit. No weights: 0.
unit_sizes sized(std::span<const double> weights, int cpus, int cpus_each, const team_model& team = {});

/// The smallest units whose pass is within a tenth of the shortest one. Units of one CPU run whole tasks side
/// by side and wait for nobody; larger ones pay where tasks are fewer than CPUs, or one is much larger than
/// the others, and where each CPU would have one task and the pass wait for the slowest CPU, which is taken
/// for a quarter slower among sixteen. Requires cpus >= 1. Pure. Cost: some log(cpus) * tasks steps for each
/// size.
unit_sizes best_sizes(std::span<const double> weights, int cpus, const team_model& team = {});

/// The same for CPUs beside GPUs that do as much as so many further ones: there a pass is so short that a
/// task may take longer than all of it on one CPU, and whoever runs such a task in each pass is waited for.
/// The smallest units that are through with one in good time, if two thirds of what their CPUs do are left;
/// else as CPUs alone.
unit_sizes sizes_beside(double cpus_of_gpus, std::span<const double> weights, int cpus,
                        const team_model& team = {});

/// What CPUs beside GPUs are worth in a run, by whoever knows as little of them.
struct worth_of_cpus {
  seconds saved = 0;  ///< of the run
  seconds taken = 0;  ///< to start their CUs, to learn what they are good for, and to end them
  /// Taken is off the clock of most programs, so that a small part of it is enough.
  bool is_enough() const { return saved > taken / 24; }
};

/// Of `cpus` CPUs beside GPUs that do as much as `cpus_of_gpus` > 0 further ones; all that will be run takes
/// one CPU `work`. Pure.
worth_of_cpus worth_beside(double cpus_of_gpus, int cpus, seconds work);

}  // namespace yoke::scheduling
