// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which unit runs which task of a graph that is known as a whole, as where it was recorded.

#include <span>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/task_binder.hpp>

namespace yoke::scheduling {

/// As task_request, with a memory of its own.
struct recorded_task {
  int kind = 0;
  double work = 1;
  int priority = 0;
  int cpus = 1;
  std::vector<unit_id> on{};
  std::vector<int> after{};  ///< tasks before it in the graph, by their place
  std::vector<piece_use> uses{};
};

/// Seconds for work 1, by kind, from 0, and by unit. Of a task on several CPU CUs, on all of them.
using kind_times_by_unit = std::vector<std::vector<seconds>>;

struct planned_task {
  int task = 0;  ///< its place in the graph
  std::vector<unit_id> units{};
  seconds begin = 0, end = 0;
};
struct task_plan {
  std::vector<planned_task> tasks{};  ///< in the order of their begin, each after what it comes after
  seconds makespan = 0;
};

/// Heterogeneous earliest finish time (Topcuoglu, Hariri, Wu, 2002): tasks by their greatest mean way to the
/// end, each on the unit where it ends first, also before what is there already. A unit runs one task at a
/// time; copies overlap all else. Priorities are left out: what counts is the end.
/// Cost: tasks * (units * (uses + gaps)). Errors: usage_error as of task_binder, for an `after` that is not
/// before its task, and for a kind or unit without a time.
task_plan heft(const task_machine& machine, std::span<const recorded_task> tasks,
               const kind_times_by_unit& times);

/// The shortest of HEFT's and of those by other ways to the end: with the fastest unit's times, without
/// copies. To have it followed, tell a binder its tasks in this order, each `on` its units alone, and on a
/// CPU CU also `after` the one before it there; what they write may be copied to where it will be read when
/// it is written.
task_plan plan_tasks(const task_machine& machine, std::span<const recorded_task> tasks,
                     const kind_times_by_unit& times);

}  // namespace yoke::scheduling
