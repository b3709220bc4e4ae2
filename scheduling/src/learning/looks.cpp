#include "looks.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

/// A look between two passes takes some hundred microseconds and a part of a pass, for they cannot overlap
/// across it: 1.3 of 11.6 ms of LU-MZ class D on an H200, and where CPU CUs share a pool, all wait for the
/// last of its tasks (BT-MZ class D on 15 CPUs beside it, 15 of 28 ms). Of the time that passes take, no more
/// than this part, unless it would be long until something new is noticed.
constexpr seconds longest_unseen = 5;
constexpr double overlap = 0.12, overlap_of_both = 0.5;
constexpr double most_looking = 0.0025;
/// The first looks may take more; where passes are short, by the time they would matter they are over.
constexpr double most_looking_early = 0.02;
constexpr pass_id most_passes = 256;
/// But short passes go on as long as looking is cheap, up to so long.
constexpr seconds longest_of_short = 0.1;
/// A change must be won back within the passes that are left, or else within as many as there were, or within
/// so many.
constexpr pass_id least_horizon = 128;

/// CPU CUs alone are looked at when they have run so long, in passes of any length.
constexpr seconds least_of_cpus_alone = 2e-2, shortest_told = 1e-9;

}  // namespace

double overlap_of(use how) { return how == use::both_kinds ? overlap_of_both : overlap; }

horizon counted_passes::horizon_at(pass_id newest) const {
  const pass_id done = have_begun() ? newest - from_ : 0;
  const bool is_planned = passes_ > done;
  return {.passes = is_planned ? passes_ - done : std::max(newest, least_horizon), .is_free = !have_begun()};
}

pass_id cheap_period(pass_time now, use how) {
  const double cheap = (meeting / now.usual + overlap_of(how)) / most_looking;
  const double most = std::max(static_cast<double>(most_passes), longest_of_short / now.usual);
  return static_cast<pass_id>(
      std::clamp(std::min(cheap, longest_unseen / now.usual), static_cast<double>(steady_after), most));
}

pass_id period_after(pass_id age, std::optional<pass_time> now, use how) {
  if (!now) return std::max(age, shortest_period);
  const pass_id longest = cheap_period(*now, how);
  const auto shortest = static_cast<pass_id>(meeting / (most_looking_early * now->usual));
  return std::clamp(how == use::both_kinds ? 2 * age : age, std::clamp(shortest, shortest_period, longest),
                    longest);
}

pass_id look_at_cpus(pass_id from, seconds pass, pass_id end) {
  const auto passes = static_cast<pass_id>(least_of_cpus_alone / std::max(pass, shortest_told));
  return end > from && end - from < 2 * passes ? end : from + passes;
}

pass_id period_when_new(seconds pass, bool is_rehearsed, bool has_gpus) {
  if (is_rehearsed) return cold_by_clock;
  return has_gpus ? shortest_period : std::max(shortest_period, look_at_cpus(0, pass, pass_plan::for_good));
}

}  // namespace yoke::scheduling
