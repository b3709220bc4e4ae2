#pragma once
/// The few ways of using the machine that come into question, and what is known of each.

#include "../maps/forecast.hpp"
#include "estimate.hpp"
#include "heard.hpp"
#include "ways.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// A map and what a pass takes with it.
struct candidate {
  alternative what;
  estimate predicted;
  timed_passes timed{};
  seconds predicted_then = 0;  ///< when it was timed
  bool is_recalled = false;    ///< timed in an earlier run alone

  /// What is lost of a pass at a look.
  double overlap() const;
  bool is_timed() const { return timed.any(); }
  /// By which power of e the clock refutes the prediction: what its own error and `explained` leave.
  double refuted(double explained) const;
  /// By prediction and clock together.
  estimate now() const;
};

/// One for each kind of map, at its best by what is known, and those that were timed. One is in force.
class candidates {
 public:
  /// Keeps references.
  candidates(const workload& work, std::span<const unit> units) : work_{work}, units_{units} {}

  void begin(alternative present);
  const candidate& present() const { return all_[at_]; }
  std::span<const candidate> all() const { return all_; }
  /// Passes of the present map took `time`.
  void ran(pass_id passes, seconds time);
  /// `one` of all() is in force.
  void move_to(std::size_t one) { at_ = one; }
  /// An earlier run has timed this map.
  void recall(alternative what, const estimate& pass);

  /// What each would take by these speeds, corrected by what timed ones took beside their prediction.
  /// `busiest_gpu`: what it works in a pass of the present map. `with_new`: maps that are better by these
  /// speeds come in place of those that were not timed.
  void predict(const heard_speeds& heard, seconds busiest_gpu, bool with_new);
  /// What was timed says nothing any more, but the newest stretches of the present one.
  void forget_but(std::size_t newest);

  /// The one that wins most beyond what a change costs, if any does; `pass`: the next one.
  std::optional<std::size_t> better(const horizon& left, pass_id cold, pass_id block) const;
  /// "; this map: 0.0094 s a pass timed; GPUs alone: 0.0099 s a pass predicted"
  std::string text() const;

 private:
  candidate& take_in(alternative what);
  void learn_slowness(const forecast& model, seconds busiest_gpu);
  unit_speeds slowed(unit_speeds speeds) const;
  const candidate* timed_kin(const candidate& of) const;
  /// Of a speed that nobody has told, as a power of e.
  double error_of_guess(const heard_speeds& heard) const;
  std::optional<estimate> told_by(const candidate& one) const;
  double error_of(const candidate& one, const heard_speeds& heard, seconds pass) const;
  double part_that_is_guessed(const alternative& what, const heard_speeds& heard) const;
  double cost_of_change(const candidate& to) const;

  const workload& work_;
  std::span<const unit> units_;
  std::vector<candidate> all_;
  std::size_t at_ = 0;
  /// How many times as long as their batches tell units take in a pass: they lose time between these.
  bool are_cpus_guessed_ = false;
  double slowness_of_cpus_ = 1, slowness_of_gpus_ = 1;
};

}  // namespace yoke::scheduling
