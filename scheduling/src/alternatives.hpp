#pragma once
/// The ways of using a machine that `auto` chooses from, and what is known of each.

#include "forecast.hpp"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

enum class use { both_kinds, gpus, one_gpu, cpus };

struct alternative {
  use how = use::gpus;
  int cut = 0;          ///< tasks in the pool of the CPU CUs
  std::size_t gpu = 0;  ///< of one_gpu
  bool operator==(const alternative&) const = default;
};

use use_of_cut(int cut, const workload& work, std::span<const unit> units);
assignment shares_of(const alternative& what, const workload& work, std::span<const unit> units,
                     std::span<const speed> speeds);
/// "GPUs and CPUs, 28 of 1024 tasks for whichever CPU CU asks"
std::string text_of(const alternative& what, const workload& work);

/// What a pass was seen to take, with its relative standard error.
struct pass_time {
  seconds usual = 0;
  double error = 0;
};

/// Passes that were timed, a few of them together at times. Most noise only delays, so the median counts.
class pass_times {
 public:
  void add(seconds time, pass_id passes);
  void clear() { each_.clear(); }
  std::optional<pass_time> get() const;

 private:
  std::vector<std::pair<seconds, pass_id>> each_;  ///< seconds of a pass, and of how many it is the mean
};

/// Predictions, corrected by what was measured as far as that is certain: where a pass took longer than
/// predicted, other maps that use the same kinds of units are expected to do so too.
class alternatives {
 public:
  /// A pass with this map took `time`.
  void note(const alternative& what, pass_time time);
  /// So it was in an earlier run.
  void recall(const alternative& what, pass_time time);
  std::optional<pass_time> measured(const alternative& what) const;
  static seconds predicted(const alternative& what, const forecast& model);
  seconds expected(const alternative& what, const forecast& model) const;
  /// The one with the shortest expected pass.
  alternative best(const workload& work, std::span<const unit> units, const forecast& model) const;
  /// Among those that were measured, of which there is one at least.
  alternative best_seen(const forecast& model) const;
  /// The machine has changed.
  void forget() { seen_.clear(); }

  struct seen {
    alternative what;
    pass_time time;
    bool is_recalled = false;  ///< from an earlier run, and not measured since
  };
  std::span<const seen> all() const { return seen_; }
  /// "; 0.0094 s measured; GPUs alone: 0.0099 s measured; CPUs alone: 0.2 s predicted": of the present map
  /// and of all others, as far as `model` is known.
  std::string text(const alternative& present, const workload& work, std::span<const unit> units,
                   const std::optional<unit_speeds>& speeds) const;

 private:
  static double correction_by(const seen& one, const forecast& model);
  std::vector<alternative> candidates(const workload& work, std::span<const unit> units,
                                      const forecast& model) const;

  std::vector<seen> seen_;  ///< the newest last
};

}  // namespace yoke::scheduling
