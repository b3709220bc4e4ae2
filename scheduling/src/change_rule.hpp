#pragma once
/// When `auto` leaves a map for another one, and how long it goes without a look.

#include "alternatives.hpp"

#include <optional>
#include <span>

namespace yoke::scheduling {

/// What a change would be made upon.
struct change_case {
  double part = 1;           ///< what a pass would take, of what it takes now
  bool is_measured = false;  ///< warm passes with the present map were timed
  bool is_trial = false;     ///< it uses other kinds of units, and was never measured
  bool is_first = false;     ///< the program rehearsed, and nothing is warm yet
  double doubt = 0;          ///< how uncertain that part is
  pass_id passes = 0;        ///< that were run
};

bool is_worth_a_change(const change_case& of);
/// Whether there may be one more, `passes` after the start or after the machine has changed.
bool may_change(int changes, pass_id passes);

/// How much of a pass with this map is as uncertain as the speeds: beside a much faster kind, the other one's
/// speed matters little.
double stake_of(const alternative& what, const workload& work, std::span<const unit> units);

/// What it takes to plan anew between two passes.
seconds cost_of_look(const workload& work, std::size_t n_units);
/// Passes until the next look, which takes `look`: as many as there were with this map, up to so many that
/// looking is cheap.
pass_id period_after(pass_id age, std::optional<pass_time> now, seconds look);
/// The least of what that may come to.
inline constexpr pass_id steady_after = 16;

}  // namespace yoke::scheduling
