#pragma once
/// When `auto` leaves a map for another one, and how long it goes without a look.

#include "alternatives.hpp"

#include <optional>
#include <span>

namespace yoke::scheduling {

/// What a change of the map takes, and how many passes it has to pay in.
struct change_price {
  seconds moving = 0;    ///< of tasks' data between memories, and laying them out there
  seconds pass = 0;      ///< what one takes now
  pass_id passes = 0;    ///< that are left, or as many as there were where nobody knows
  double cold = 0;       ///< what it takes beside moving, in passes
  bool is_free = false;  ///< it is over before the program's time counts

  /// The change in terms of those passes.
  double part() const;
};

/// `pass`, `cold`: see change_price; `done` passes of all that `work` says there will be.
change_price price_of(const assignment& from, const assignment& to, const workload& work,
                      std::span<const unit> units, seconds pass, pass_id done, double cold);
/// Whether a map may be tried of which no prediction is known, and left again.
bool is_worth_a_trial(const change_price& there);

/// What a change would be made upon.
struct change_case {
  double part = 1;           ///< what a pass would take, of what it takes now
  bool is_measured = false;  ///< warm passes with the present map were timed
  bool is_settled = false;   ///< and so many of them that little is left to chance
  bool is_trial = false;     ///< it uses other kinds of units, and was never measured
  bool is_early = false;     ///< the program rehearsed, and all that is known is one pass that was cold
  bool is_first = false;     ///< the program rehearsed, and no warm passes were timed yet
  double doubt = 0;          ///< how uncertain that part is
  double price = 0;          ///< change_price::part
  double unsteady = 0;       ///< how much passes with the present map differ from those before the last look
};

bool is_worth_a_change(const change_case& of);

/// How uncertain it is what a pass takes with `to` in terms of `from`. What CPU CUs have in common does not
/// matter among themselves, and beside a much faster kind the other one's speed matters little.
double doubt_of(const alternative& from, const alternative& to, const forecast& model, const workload& work,
                std::span<const unit> units);

/// How much of a pass is lost at a look, for passes do not overlap across it.
double overlap_of(use how);
/// Passes until the next look: as many as there were with this map, up to so many that looking is cheap.
pass_id period_after(pass_id age, std::optional<pass_time> now, use how);
/// The first pass with a map is cold, and one that is no longer than the period of a look is not overlapped
/// with others.
inline constexpr pass_id shortest_period = 2;
/// The least of what the longest period may come to.
inline constexpr pass_id steady_after = 12;

}  // namespace yoke::scheduling
