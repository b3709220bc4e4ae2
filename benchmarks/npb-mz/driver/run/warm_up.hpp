#pragma once
/// What a run does before its time counts.

#include "driver/march/march.hpp"

#include <yoke/clock.hpp>
#include <yoke/task_loop.hpp>

namespace npb {

/// Every zone is where it begins, and every CU has run its kernels once. `solo`: no map is prepared, since
/// each CU will be measured alone. Errors: out_of_memory where memory is short and the schedule does not mind
/// it.
void set_up(march& zones, yoke::task_loop& loop, bool solo);

/// Steps before the time counts, of a run of `steps`. The first: first touch, first migration, kernels that
/// were never run. A map that is new after it is warmed up, and a schedule that learns gets more of them, as
/// long as they are little beside the run and what the program took since `begin`.
void warm_up(march& zones, yoke::task_loop& loop, int steps, yoke::ticks begin);

}  // namespace npb
