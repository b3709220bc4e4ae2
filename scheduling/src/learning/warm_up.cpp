#include <algorithm>

#include <yoke/learner.hpp>
#include <yoke/warm_up.hpp>

namespace yoke {

namespace {

/// A device lays its work out in the first pass with a map and captures it in the second.
constexpr pass_id at_once = 4;
/// A few that are timed together look longer than many.
constexpr pass_id most_at_once = 4 * at_once;
/// That count, for a schedule to learn before.
constexpr pass_id few_passes = 10 * at_once;
/// Maps that are new get so many times what warms up, whatever it takes, more in runs that are warmed up to
/// learn: a map that is cold when time counts costs more.
constexpr int free_times = 2, free_times_of_learning = 8;
/// Beyond that there are as many as the program allows, up to so many.
constexpr int most_times = warm_up::most / most_at_once;

/// Whether the schedule will look at its map when so many passes have run.
bool looks_soon(const pass_plan& next, pass_id pass) {
  return !next.map.empty() && next.until <= pass + at_once;
}

/// Passes that are run at once: until the schedule looks.
pass_id until_look(const pass_plan& next, pass_id pass) {
  if (next.is_open() || next.is_settled()) return at_once;
  return std::clamp(next.until - pass, at_once, most_at_once);
}

}  // namespace

warm_up::warm_up(schedule& plan, pass_id passes) : plan_{plan}, may_learn_{passes >= few_passes} {}

bool warm_up::wants_more() const {
  const learner* const of = plan_.learning();
  return may_learn_ && of != nullptr && of->wants_warm_up();
}

bool warm_up::goes_on(pass_id pass, warm_up_outcome last) const {
  if (times_ == 1)
    return last.map_is_new || wants_more() || (may_learn_ && looks_soon(plan_.plan_of(pass), pass));
  const int of_map = times_ - 1;
  if (last.map_is_new && of_map < (may_learn_ ? free_times_of_learning : free_times)) return true;
  return of_map < most_times && !last.allowance_is_spent && (wants_more() || (may_learn_ && last.map_is_new));
}

pass_id warm_up::next(pass_id pass, warm_up_outcome last) {
  if (times_ > 0 && !goes_on(pass, last)) return 0;
  return times_++ == 0 ? 1 : until_look(plan_.plan_of(pass), pass);
}

}  // namespace yoke
