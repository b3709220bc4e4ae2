#pragma once
/// What a run does before its time counts.

#include "driver/march/march.hpp"

#include <yoke/task_loop.hpp>

namespace npb {

/// Every zone is where it begins, and every CU has run its kernels once. `solo`: no map is prepared, since
/// each CU will be measured alone. Errors: out_of_memory where memory is short and the schedule does not mind
/// it.
void set_up(march& zones, yoke::task_loop& loop, bool solo);

/// How many steps run before the time counts, of a run of `steps`, if the map stays.
int passes_before_time(int steps);
/// A map that is new in a pass before this one is warmed up before the time counts: what the schedule finds
/// behind passes_before_time() gets passes of its own.
yoke::pass_id first_pass_to_pay(int steps);

/// The first step, of `steps`: first touch, first migration, kernels that were never run. A schedule that
/// finds a better map in it, or wants to see a few passes more before it looks for one, gets them.
void warm_up(march& zones, yoke::task_loop& loop, int steps);

}  // namespace npb
