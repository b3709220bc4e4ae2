#pragma once
/// What a schedule tells of the pass that comes next: the one place that asks.

#include <vector>

#include <yoke/task_loop.hpp>

namespace npb {

struct next_pass {
  std::vector<yoke::unit_id> map;  ///< the unit of each zone; empty where units decide by asking
  yoke::pass_id lasts = 1;         ///< so many passes have this map
  bool is_settled() const { return lasts > 1; }
};

/// Only while no unit is in a pass: the schedule may decide now what it would else decide in it.
next_pass next_pass_of(yoke::task_loop& loop);

/// Whether every pass from the next one on has the same map. Decides nothing.
bool is_fixed_for_good(const yoke::task_loop& loop);

}  // namespace npb
