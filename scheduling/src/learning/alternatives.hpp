#pragma once
/// The ways of using a machine that `auto` chooses from, and what is known of each.

#include "../maps/forecast.hpp"
#include "pass_times.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

enum class use { both_kinds, gpus, one_gpu, cpus };

/// What a GPU's batches take longer in a pass where CPU CUs have tasks too, at least, beside the wait that a
/// forecast counts: more launches, and faces that go through the host (BT-MZ class A beside an H200: 80 to
/// 115 us of 330).
inline constexpr seconds least_with_cpus = 5e-5;

/// A map and which units it uses.
struct alternative {
  use how = use::gpus;
  assignment shares;
  cpu_tasks cpus = cpu_tasks::shared;
  bool operator==(const alternative&) const = default;
};

alternative make_alternative(assignment shares, std::span<const unit> units,
                             cpu_tasks cpus = cpu_tasks::shared);
/// Whether passes with one tell of passes with the other: the same kinds of units work, and CPU CUs alone
/// share their tasks in both or in none. Who shares makes up for what is late now and then, and who has tasks
/// of its own is waited for.
bool are_of_one_kind(const alternative& a, const alternative& b);
/// GPU CUs that have tasks.
int gpus_in_use(const alternative& what, std::span<const unit> units);
/// All tasks on one GPU CU.
assignment on_one(std::size_t gpu, int n_tasks, std::size_t n_units);
/// "GPUs and CPUs, 28 of 1024 tasks for whichever CPU CU asks"
std::string text_of(const alternative& what, std::span<const unit> units);

/// Whether there is more than one. CPU CUs alone may share their tasks or, where these are few, have some of
/// their own.
bool has_choice(const workload& work, std::span<const unit> units);

/// What to begin with: GPUs full and a task for each CPU CU, or what is best for CPU CUs that are alike.
/// Errors: out_of_memory.
alternative before_any_measurement(const workload& work, std::span<const unit> units,
                                   std::string_view schedule_name);

/// Every way of using the machine whose tasks fit into its memory, each at its best by this model: takes
/// milliseconds where a thousand tasks have weights of their own. Both kinds of units only where their pass
/// might be shorter than `bar`. Several GPU CUs have consecutive tasks: which ones they get is left to
/// in_regions.
std::vector<alternative> ways_of_using(const workload& work, std::span<const unit> units,
                                       const forecast& model,
                                       seconds bar = std::numeric_limits<seconds>::infinity());

/// The same with fewer bytes between GPU CUs, where that is better and fits into their memory.
alternative in_regions(alternative one, const workload& work, std::span<const unit> units,
                       const forecast& model);

/// Predictions, and what was measured of the maps that were tried.
class alternatives {
 public:
  struct seen {
    alternative what;
    pass_time time;
    bool is_recalled = false;  ///< from an earlier run, and not measured since
  };
  struct comparison {
    alternative what;
    double part = 1;  ///< of the time of the map in force
  };

  /// A pass with this map took `time`.
  void note(const alternative& what, pass_time time);
  /// From here on passes are timed by the clock, several together, with all that delays them.
  void measured_by_clock() { by_clock_ = true; }
  bool are_by_clock() const { return by_clock_; }
  /// So it was in an earlier run.
  void recall(const alternative& what, pass_time time);
  std::optional<pass_time> measured(const alternative& what) const;
  /// How long `what` takes in terms of `here`. Where passes of both, or of maps that use the same kinds of
  /// units, were timed, predictions are corrected by them as far as they are certain; else both are taken
  /// from the model, for noise delays all passes and a prediction knows of it in part only. But GPUs alone
  /// are foreseen within some percent, and CPU CUs that hold them up by more are left; passes beside CPU CUs
  /// that took less than predicted count as timed. Of two maps that were timed, one that is much shorter
  /// against what the model says is what it was timed at.
  double part(const alternative& what, const alternative& here, const forecast& model) const;
  /// Whether what `what` takes is as good as measured, though it was not: GPUs alone, whose batches hardly
  /// vary or whose mean counts, beside CPU CUs with which passes were timed.
  bool is_foreseen(const alternative& what, const alternative& here, const forecast& model) const;
  seconds expected(const alternative& what, const forecast& model) const;
  /// By how much the part of a map must be less to be as good as that of one of which all is known.
  using handicap = std::function<double(const alternative&)>;
  /// The best of `ways`, or `here` where none is better.
  comparison best(std::span<const alternative> ways, const alternative& here, const forecast& model,
                  const handicap& less) const;
  /// Whether a map that uses the same kinds of units was measured.
  bool is_of_known_kind(const alternative& what) const { return closest(what) != nullptr; }
  /// The maps that were measured.
  std::vector<alternative> tried() const;
  /// The machine has changed.
  void forget() { seen_.clear(); }
  std::span<const seen> all() const { return seen_; }
  /// "; 0.0094 s measured; GPUs alone: 0.0099 s measured; CPUs alone: 0.2 s predicted": of the present map
  /// and of all others, as far as speeds are known.
  std::string text(const alternative& present, const workload& work, std::span<const unit> units,
                   const std::optional<unit_speeds>& speeds) const;

 private:
  const seen* closest(const alternative& what) const;
  double part_beside_measured(const alternative& what, const alternative& here, const forecast& model) const;
  static double trust_in(const seen& one);
  static seconds corrected(seconds predicted, const seen& one, const forecast& model);
  static double ratio_of(const seen& one, const forecast& model);
  bool is_model_refuted(const seen& shorter, const seen& here, const forecast& model) const;

  std::vector<seen> seen_;  ///< the newest last
  bool by_clock_ = false;
};

}  // namespace yoke::scheduling
