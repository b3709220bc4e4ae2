#pragma once
/// Assigning tasks to units of known speeds.

#include "assignment.hpp"
#include "task_orders.hpp"

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
plan_with_makespan plan_longest_first(const workload& work, const task_orders& orders,
                                      std::span<const unit> units, std::span<const speed> speeds);
inline plan_with_makespan plan_longest_first(const workload& work, std::span<const unit> units,
                                             std::span<const speed> speeds) {
  return plan_longest_first(work, task_orders{work}, units, speeds);
}

/// Lets tasks of equal weight and bytes change places until each unit has consecutive ones of them, the first
/// unit the first: neighbours stay together, and from one plan to the next few tasks change their space.
void put_neighbours_together(assignment& shares, const task_orders& orders);

}  // namespace yoke::scheduling
