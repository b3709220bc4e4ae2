#pragma once
/// What the first passes of a loop are believed to say.

#include "alternatives.hpp"
#include "looks.hpp"

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// First passes of a map that take so many times what is expected of it are not believed.
inline constexpr double unbelievable = 2.5;
/// Some that do before time counts are timed again, for that is free: a CPU that was away for a moment is a
/// fifth of five passes.
inline constexpr double doubtful = 1.05;
/// Nor are units of a kind left then for more than such a part of the pass by what fewer tell than count
/// later.
inline constexpr double clear = 0.9;
/// So many at once, then; and until a map is so old.
inline constexpr pass_id again = 4, certain_after = 2 * steady_after;

/// After a rehearsal the first passes may take their time, for the map is no guess; and where the map is that
/// of an earlier run, there is nothing to find out. Both are settled before the first pass.
class first_passes {
 public:
  void rehearse() { is_rehearsed_ = true; }
  void recall() { is_recalled_ = true; }
  bool is_rehearsed() const { return is_rehearsed_; }
  bool is_recalled() const { return is_recalled_; }

  /// Whether a unit's pass is warm that has run so many with the map before.
  bool is_warm(unit_kind kind, pass_id earlier) const {
    return earlier >= (is_rehearsed_ && kind == unit_kind::cpu ? cold_of_cpus : 1);
  }
  /// So many passes with a map are cold by the clock.
  pass_id cold() const { return is_rehearsed_ ? cold_by_clock : 1; }
  /// Both kinds of units together are given passes enough to be timed.
  bool is_patient(use how) const { return is_rehearsed_ && how == use::both_kinds; }

  /// With the map of the start, of which no warm pass was timed, nor anything of an earlier run is known.
  bool is_first(bool is_timed, bool has_changed) const {
    return is_rehearsed_ && !is_recalled_ && !is_timed && !has_changed;
  }
  /// In the first pass both kinds of units are cold, and GPUs far from what they will be.
  bool is_early(bool is_timed, bool has_changed, use how, pass_id newest) const {
    return is_first(is_timed, has_changed) && is_patient(how) && newest <= cold_by_clock;
  }
  /// One change without warm passes that were timed is enough.
  bool is_blind(bool is_timed, bool has_changed) const { return is_rehearsed_ && !is_timed && has_changed; }
  /// So many more passes are to tell, where those with a map that is `age` old took `late` times what is
  /// expected; 0 where that is believed. `is_free`: of both kinds of units, before time counts.
  static pass_id more_of(pass_id age, double late, bool is_free) {
    if (age <= shortest_period + 1 && late > unbelievable) return shortest_period;
    return is_free && age < certain_after && late > doubtful ? again : 0;
  }

 private:
  bool is_rehearsed_ = false;
  bool is_recalled_ = false;
};

}  // namespace yoke::scheduling
