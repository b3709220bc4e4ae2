#pragma once
/// Whether a simulated machine is one, and how long tasks may take on it.

#include <yoke/schedule.hpp>
#include <yoke/simulated_machine.hpp>

namespace yoke::scheduling {

/// Errors: usage_error naming the unit or pair of units, what it has and what is accepted.
void check_machine(const simulated_machine& machine);

/// Also each task on each unit while nobody slows another one down. Cost: tasks + units.
void check_machine(const simulated_machine& machine, const workload& work);

}  // namespace yoke::scheduling
