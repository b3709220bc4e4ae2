#pragma once
/// Random machines and what the best map could do on them: what schedules that learn are measured by.

#include "driver.hpp"

#include <span>
#include <vector>

#include <yoke/simulator.hpp>

namespace machines {

using namespace yoke;

/// What a schedule is told (units, work), and what it has to find out.
struct machine {
  std::vector<unit> units;
  workload work;
  std::vector<speed> speeds;  ///< true means
  double noise = 0;           ///< relative deviation of a batch's time, log-normal
  double outliers = 0;        ///< part of the passes in which a unit's first batch takes ten times as long

  int n_units() const { return static_cast<int>(units.size()); }
  bool is_gpu(std::size_t u) const { return units[u].kind == unit_kind::gpu; }
};

/// 1 to 64 CPU CUs, 0 to 8 GPUs, up to 1024 equal or uneven tasks, a GPU 0.1 to 1000 times as fast as a CPU
/// CU, launches of up to five tasks, noise up to 30%, outliers, promises of the hardware that are wrong by up
/// to a factor of three, units of a kind that differ, memory that is short.
machine draw(driver::generator& rng);

/// Times of batches with the machine's noise; keeps a reference to both.
batch_time noisy_times(const machine& on, driver::generator& rng);

/// One pass as it was handed out: batches in the order of their begin.
struct handed_out {
  struct batch {
    unit_id unit;
    double weight = 0;
  };
  std::vector<batch> batches;
  bool cpus_share = false;  ///< pass_plan::cpus_share of the pass
};

/// Seconds of that pass at the true mean speeds: every unit runs its own batches, but where CPU CUs share,
/// the one that is free takes the next of all that CPU CUs took.
seconds true_time(const handed_out& pass, const machine& on);

struct best_pass {
  seconds found = 0;  ///< of the best map of whole tasks that a search finds; exact where tasks are alike
  seconds bound = 0;  ///< less is impossible, even with tasks that could be cut
};

/// Within the memory of the spaces.
best_pass best_of(const machine& on);

/// What a schedule came to on a machine.
struct outcome {
  std::vector<double> shares;  ///< of the best map, of each pass
  double by_clock = 0;         ///< the same of passes from the tenth on, by what they took with all noise
  int changes = 0;
};

/// `passes` passes, each beside the best map under the true mean speeds. A map that is better than what the
/// search found is the best one.
outcome run(const char* schedule, const machine& on, driver::generator& rng, int passes);

/// So many passes in a row at most are below `bar`.
int longest_below(const std::vector<double>& shares, double bar);

}  // namespace machines
