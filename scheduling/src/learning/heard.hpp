#pragma once
/// What units told of their batches, and the speeds that follow.

#include "../maps/assignment.hpp"
#include "../maps/forecast.hpp"

#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Of every unit, and how much of it is a guess.
struct heard_speeds {
  unit_speeds speeds;
  bool are_cpus_guessed = false, are_gpus_guessed = false;  ///< by what processors promise: nobody was heard
  seconds task_on_gpu = 0;                                  ///< what a usual task takes there, launch and all
  bool is_launch_known = false;  ///< GPUs have told of batches of clearly different weights
};

/// The newest batches of each unit. Thread-safe; one lock for each unit, never two of these at a time.
class heard_batches {
 public:
  /// `units` outlive this. `task`: usual weight of one.
  heard_batches(std::span<const unit> units, double task) : units_{units}, task_{task}, each_(units.size()) {}

  /// Cold ones count until there are warm ones. Ignored unless both can be.
  void add(unit_id unit, double weight, seconds time, bool is_warm);
  /// As though the unit had, in an earlier run.
  void recall(unit_id unit, double weight, seconds time) { keep(unit, weight, time, true); }
  /// Before the first pass, one task on data that nobody needs. A GPU that runs one is nearly empty: that
  /// tells what a launch takes at most, until it has told of a pass.
  void rehearse(unit_id unit, double weight, seconds time);

  /// The unit is through with a pass.
  void finished(unit_id unit);
  /// A block of passes with one map begins.
  void begin_block();
  /// What the busiest unit of this kind works in a pass of this block, the median of passes; 0 of none.
  seconds busiest(unit_kind kind) const;

  /// Whether this run has told of the unit.
  bool is_heard(std::size_t unit) const;
  /// Whether this run has told of it, or a rehearsal.
  bool is_rehearsed(std::size_t unit) const;
  /// What was told before the newest passes says nothing any more: so many batches of each are kept.
  void forget_but(std::size_t newest);
  /// nullopt where nobody was heard.
  std::optional<heard_speeds> speeds() const;

 private:
  using batches = std::vector<std::pair<double, seconds>>;
  struct alignas(64) of_unit {
    mutable std::mutex lock;  ///< of what follows
    batches kept;             ///< the newest last
    std::pair<double, seconds> rehearsed{0, 0};
    seconds busy = 0;                ///< in the pass that it is in
    std::vector<seconds> of_passes;  ///< the same of those in this block
    bool is_warm = false;
    bool is_heard = false;
  };
  void keep(unit_id unit, double weight, seconds time, bool is_warm);
  std::vector<batches> of_kind(unit_kind kind) const;
  lateness late_cpus(std::span<const speed> usual) const;
  std::optional<speed> of_rehearsed_gpu(std::size_t gpu) const;

  std::span<const unit> units_;
  double task_;
  std::vector<of_unit> each_;
};

}  // namespace yoke::scheduling
