// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Graphs of tasks, run in virtual time by the binder that a runtime would ask.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <yoke/task_plan.hpp>

namespace yoke::scheduling {

/// What the binder is told before.
struct task_run_options {
  bool knows_times = true;   ///< of each kind on each unit; else it measures them
  bool is_recorded = false;  ///< the whole graph: it follows plan_tasks
};
struct task_run {
  seconds makespan = 0;
  std::vector<planned_task> tasks{};  ///< in the order of their begin
  std::size_t copied = 0;             ///< bytes between memories
};
/// A unit runs one task at a time, of those bound to it the first of which all is there. Copies begin when a
/// task is bound (of a recorded graph, before) and what they bring was written, and overlap all else. Errors:
/// those of heft.
task_run run_tasks(const task_machine& machine, std::span<const recorded_task> tasks,
                   const kind_times_by_unit& times, const task_run_options& how = {});

/// No schedule is shorter: the longest way through the graph, each task where it is fastest, and all work as
/// if it could be cut between CPU CUs and GPU CUs. Copies are left out.
seconds least_makespan(const task_machine& machine, std::span<const recorded_task> tasks,
                       const kind_times_by_unit& times);

/// Layers of tasks, each after one of the layer before at least, and before one of the next. The same numbers
/// give the same graph.
struct random_graph {
  int n_tasks = 100;
  int width = 10;  ///< of a layer, at most twice
  int degree = 3;  ///< tasks of the next layer that come after one, at most
  int n_kinds = 4;
  double spread = 0.5;    ///< of the work of tasks, relative
  std::size_t bytes = 0;  ///< that each task writes, at most twice
  std::uint64_t seed = 1;
};
std::vector<recorded_task> random_tasks(const random_graph& of);

/// Factorizations of n x n tiles of so many bytes. Kinds: 0 the tile of the diagonal, 1 a tile of its row or
/// column (trsm), 2 one of what is left (gemm), 3 one of its diagonal (syrk, of Cholesky alone).
std::vector<recorded_task> tiled_cholesky(int n, std::size_t tile_bytes);
std::vector<recorded_task> tiled_lu(int n, std::size_t tile_bytes);

}  // namespace yoke::scheduling
