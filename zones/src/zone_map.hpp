#pragma once
/// Which unit has which zone: what a schedule gives after some passes with known speeds. Pure.

#include <span>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::detail {

/// As long as nobody has measured: a CPU counts as one, a processor of a GPU as three.
std::vector<seconds> guessed_times(std::span<const unit> units);
/// `times`: what each unit takes for weight 1. The map of the last pass that `plan` gives in virtual time.
std::vector<unit_id> map_of(schedule& plan, const workload& work, std::span<const seconds> times);
/// The rank of each zone, neighbours together; `times` as above, of ranks.
std::vector<int> ranks_of_zones(const workload& work, std::span<const seconds> times);
/// What the slowest unit takes for a step.
seconds longest_of(std::span<const unit_id> map, std::span<const double> weights,
                   std::span<const seconds> times);
/// With what was measured of those that had zones, 0 of others: these keep their guess, as far as that was
/// off.
std::vector<seconds> with_measured(std::span<const seconds> guessed, std::span<const seconds> measured);

}  // namespace yoke::detail
