#pragma once
/// Assigning tasks to units of known speeds.

#include "assignment.hpp"

#include <span>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

struct plan_with_makespan {
  assignment shares;
  seconds makespan = 0;
};

/// Each task, the longest first, to the unit that would finish it first (Graham's LPT rule on machines of
/// different speeds) among those with room for it. `speeds` has one for each unit.
plan_with_makespan plan_longest_first(const workload& work, std::span<const unit> units,
                                      std::span<const speed> speeds);

/// Takes tasks back from CPU CUs that would be late too often, as long as the GPU CUs lose less by them than
/// is lost by waiting on average. The time of a CPU CU varies, and all others wait for the one that is late:
/// beside a GPU for which a task is one of a thousand, to fill a CPU CU to the brim gains next to nothing.
void leave_slack(plan_with_makespan& plan, const workload& work, std::span<const unit> units,
                 std::span<const speed> speeds);

/// Lets tasks of equal weight and bytes change places until each unit has consecutive ones of them, the first
/// unit the first: neighbours stay together, and from one plan to the next few tasks change their space.
void put_neighbours_together(assignment& shares, const workload& work);

/// Seconds by which a unit that needs `load` on average, with the spread of CPU CUs, is later than
/// `makespan`, on average over many passes. Requires load <= makespan.
seconds expected_lateness(seconds load, seconds makespan);

}  // namespace yoke::scheduling
