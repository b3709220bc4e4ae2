#pragma once
/// Betters a map whose tasks are few, where longest-first leaves units idle.

#include "assignment.hpp"

#include <span>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// Moves a task of the unit that is last, or exchanges it for a lighter one of another unit, as long as both
/// are then done earlier. Leaves maps of many tasks for each unit and of limited memory as they are.
void exchange_tasks(assignment& shares, const workload& work, std::span<const unit> units,
                    std::span<const speed> speeds);

}  // namespace yoke::scheduling
