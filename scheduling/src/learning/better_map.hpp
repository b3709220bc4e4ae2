#pragma once
/// Whether `auto` knows a better map than the present one.

#include "alternatives.hpp"
#include "change_rule.hpp"
#include "looks.hpp"
#include "map_search.hpp"
#include "observations.hpp"

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// What is known between two passes, when maps are compared.
struct look {
  const forecast& model;
  std::optional<measured_pass> now;  ///< with the present map, where warm passes were timed
  pass_id pass = 0;                  ///< the newest
  pass_id passes = 0;                ///< there were, of the machine as it is now
  bool is_settled = false;           ///< so many with the present map that little is left to chance
  bool is_late = false;              ///< passes take longer than they did, and that is no chance
  bool is_first = false;             ///< the program rehearsed, and no warm passes were timed yet
  bool is_recalled = false;          ///< it began as earlier runs ended, and warms up no more than a map does
  bool is_early = false;             ///< and all that is known is one pass that was cold
  horizon to_pay;
  double cold = 0;  ///< what a change takes beside moving, in passes
  observations::undelayed gpus{};
};

/// Relative error of passes from which what can be said of them is little: a few that were timed together are
/// longer than many, by as much as one map differs from another.
inline constexpr double unsure = 0.15;

/// The maps that are known, those that were measured among them, and how many were tried.
class better_map {
 public:
  /// Keeps references.
  better_map(const workload& work, std::span<const unit> units);

  /// Of passes, by these speeds.
  forecast model_of(unit_speeds speeds) const { return {work_, units_, std::move(speeds), orders_}; }
  alternatives& known() { return known_; }
  const alternatives& known() const { return known_; }
  /// The same where passes with the present map took `now` since, if that is known better.
  alternatives known_with(const alternative& present, std::optional<pass_time> now) const;
  /// What earlier runs have known.
  void recall(alternatives earlier);
  /// Passes with the present map took so long.
  void note(const alternative& present, pass_time now);

  struct found {
    alternative what;
    std::optional<double> part;  ///< of a pass with the present map; empty where nobody can predict it
    seconds moving = 0;          ///< of data, on the way there
  };
  /// Empty where none is worth a change.
  std::optional<found> than(const alternative& present, const look& at);
  /// It is in force in place of `present` from `pass` on.
  void chosen(const alternative& present, const found& better, pass_id pass);
  /// Whether `now` is known well enough to compare maps by, or else the present one is so much better than
  /// all others that were looked at last, that this does not matter.
  bool is_sure_of(std::optional<pass_time> now) const {
    return now && (!known_.are_by_clock() || now->error < unsure || is_far_ahead_);
  }
  /// Of a pass with the best map known.
  seconds expected() const { return expected_; }
  /// The machine has changed.
  void forget();

 private:
  bool leads(const alternative& present, std::span<const alternative> ways, const look& at) const;
  bool must_be_timed(const alternative& gpus, const alternative& present, const look& at) const;
  bool are_gpus_held_up(const alternative& present, const look& at) const;
  std::optional<alternative> worth_a_try(const alternative& present, std::span<const alternative> ways,
                                         const look& at) const;
  std::optional<alternative> unpredicted(const alternative& present, const look& at) const;
  std::optional<alternative> gpus_to_be_timed(const alternative& present, std::span<const alternative> ways,
                                              const look& at, bool is_unsure) const;
  std::optional<alternatives::comparison> without_late_cpus(std::span<const alternative> ways,
                                                            const alternative& present, const look& at) const;
  alternatives::comparison best_of(std::span<const alternative> ways, const alternative& present,
                                   const look& at) const;
  bool is_promising(const alternatives::comparison& best, const alternative& present, const look& at) const;
  double doubt(const alternative& other, const alternative& present, const forecast& model) const;
  change_price price(const alternative& from, const alternative& to, seconds pass, const look& at) const;

  const workload& work_;
  std::span<const unit> units_;
  std::shared_ptr<const task_orders> orders_;
  alternatives known_;
  map_search search_;
  seconds expected_ = 0;
  bool is_far_ahead_ = false;
  int trials_ = 0;  ///< of maps that were not known
  /// CPU CUs alone begin with their pool or go back to it from tasks of their own, and keep to it until then,
  /// whatever has changed since. Eight passes: a cold one made LU-MZ class C on eight CUs of two CPUs leave
  /// it.
  pass_id keeps_pool_until_ = 8;
  double unsteady_ = 0;  ///< see change_case
};

}  // namespace yoke::scheduling
