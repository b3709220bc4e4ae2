#pragma once
/// When `auto` leaves a map for another one.

#include "alternatives.hpp"
#include "looks.hpp"

#include <span>

namespace yoke::scheduling {

/// What a change of the map takes, and how many passes it has to pay in.
struct change_price {
  seconds moving = 0;  ///< of tasks' data between memories, and laying them out there
  seconds pass = 0;    ///< what one takes now
  horizon to_pay;
  double cold = 0;  ///< what it takes beside moving, in passes

  /// The change in terms of those passes; nothing before time counts.
  double part() const;
  double part_of_all() const;  ///< as if it did
};

/// The rest: see change_price.
change_price price_of(const assignment& from, const assignment& to, const workload& work,
                      std::span<const unit> units, seconds pass, horizon to_pay, double cold);
/// Whether a map may be tried of which no prediction is known, and left again. `is_likely`: it may well be
/// better.
bool is_worth_a_trial(const change_price& there, bool is_likely);
/// Whether passes that are longer by that much, altogether, may be run to find out, beside usual ones of
/// `pass`.
bool is_affordable(seconds longer, seconds pass, horizon to_pay);

/// What a change would be made upon.
struct change_case {
  double part = 1;           ///< what a pass would take, of what it takes now
  bool is_measured = false;  ///< warm passes with the present map were timed
  bool is_settled = false;   ///< and so many of them that little is left to chance
  bool is_trial = false;     ///< it uses other kinds of units, and was never measured
  bool is_early = false;     ///< the program rehearsed, and all that is known is one pass that was cold
  bool is_first = false;     ///< the program rehearsed, and no warm passes were timed yet
  double doubt = 0;          ///< what must be gained besides, for that part is uncertain
  double price = 0;          ///< change_price::part
  double untold = 0;         ///< what passes are worth that would tell more of the present map instead
  double unsteady = 0;       ///< how much passes with the present map differ from those before the last look
};

bool is_worth_a_change(const change_case& of);

/// What must be gained besides, for it is uncertain what a pass takes with `to` in terms of `from`. What CPU
/// CUs have in common does not matter among themselves, and beside a much faster kind the other one's speed
/// matters little.
double doubt_of(const alternative& from, const alternative& to, const forecast& model, const workload& work,
                std::span<const unit> units);

}  // namespace yoke::scheduling
