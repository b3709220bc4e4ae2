// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A schedule bound to a runtime: the primitives by which threads fetch, run and commit tasks.
/// Source: González & Morancho, Table 5 and Figure 9.

#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/schedule.hpp>

namespace yoke {

class runtime;
class compute_units;
namespace detail {
class region_run;
}

/// What became of one CU since the loop was made (or since reset_times).
struct unit_times {
  long long tasks = 0;  ///< tasks run
  seconds busy = 0;     ///< inside batches
};

/// One execution of a task.
struct task_sample {
  task_id task;
  pass_id pass = 0;
  unit_id unit;
  seconds time = 0;
  bool is_apportioned = false;  ///< its share of a batch by weight, not measured by itself
};

/// Thread-safe in this sense: each CU's outer thread fetches, runs and commits its own tasks, all CUs at
/// once; the queries may be called at any time; set_timing, reset_times and moving only between passes. A
/// loop that was moved from, or whose runtime has ended, answers everything with a usage_error that says
/// which; only on_stop, set_timing and is_stopped (true of one moved from) do not throw.
class task_loop {
 public:
  /// The CUs of `units` run the tasks; made by runtime::make_loop. Errors: usage_error for no schedule, a
  /// negative number of tasks or weights that are not one for each task.
  task_loop(const compute_units& units, std::unique_ptr<schedule> plan, workload work);
  ~task_loop();
  task_loop(task_loop&&) noexcept;
  task_loop& operator=(task_loop&&) noexcept;

  /// The calling CU's next task of this pass; no_task when it has no more, and then its next call begins the
  /// next pass. One task at a time; run() takes whole batches. In a team of one thread for each CU the first
  /// call in a pass whose map is open waits until all of them are there, a quarter of a second at most.
  /// Errors: usage_error while the CU has a task that is not committed, or when the schedule gave a task that
  /// does not exist.
  task_id get_task();
  /// The calling CU starts `task`: its clock runs.
  /// Errors (also of commit_task): usage_error for a task that this CU does not have, or out of order.
  void execute_task(task_id task);
  /// The calling CU has finished `task`; on a GPU CU after synchronizing.
  void commit_task(task_id task);

  /// The whole batch at once, for run() and for batched kernels: next batch of the calling CU, or empty. Its
  /// tasks' times are shares by weight. Errors as for single tasks; also for a batch begun with get_task.
  std::span<const task_id> get_batch();
  void execute_batch(std::span<const task_id> batch);
  void commit_batch(std::span<const task_id> batch);

  /// The calling CU has spent `waited` of its open task or batch waiting for another CU: that is neither time
  /// of the task nor busy time, so that a schedule does not take a slow neighbour for a slow unit.
  void exclude(ticks waited);

  /// The CU that ran `task` last; -1 before it ran.
  unit_id cu_of(task_id task) const;
  void set_task_time(task_id task, seconds time);
  /// Seconds of the last execution: measured, or its share of the batch by weight (is_apportioned).
  seconds task_time(task_id task) const;
  bool is_apportioned(task_id task) const;
  /// From here on every execution is kept, 32 bytes each; false forgets them, as true does those from before.
  /// Passes without timing leave none. Outside of runs.
  void keep_samples(bool on);
  /// Those kept, by task and then by pass. Outside of runs.
  std::vector<task_sample> samples() const;
  void set_cu_time(unit_id unit, seconds time);
  /// Seconds inside tasks since the loop was made, or since reset_times.
  seconds cu_time(unit_id unit) const;
  unit_times times_of(unit_id unit) const;
  /// Whether who asks first decides who runs what, see pass_plan::is_first_come.
  bool is_dynamic() const;
  bool is_static() const;
  /// Which CU has which tasks; to std::cout, as in the paper, or to `out`. Of many ranges of tasks a line has
  /// the first 16, and how many tasks there are more.
  void print_schedule() const;
  void print_schedule(std::ostream& out) const;
  void print_task_times() const;
  void print_task_times(std::ostream& out) const;
  void print_cu_times() const;
  void print_cu_times(std::ostream& out) const;

  /// The calling CU has run `tasks` in `time` seconds outside of passes, on data that nobody needs: for
  /// schedules that want a rehearsal (learner::wants_rehearsal).
  void rehearsed(std::span<const task_id> tasks, seconds time);
  /// Without timing get/execute/commit read no clock, and times stay as they are; schedules that fit speeds
  /// then stay with their first map.
  void set_timing(bool on);
  /// Forgets busy times and counts, not the map: after a warm-up. A schedule that learns is told that time
  /// counts from now on (learner::time_counts).
  void reset_times();
  /// Pass the calling CU is in, from 0.
  pass_id pass() const;
  /// True from the moment a body of this loop's run has thrown: a body that waits for another CU's result
  /// must give up then. It stays so: a loop whose run failed cannot be used again.
  bool is_stopped() const noexcept;
  /// `wake` is called when a run of this loop fails, on the thread that fails, so that bodies which wait for
  /// one another can be woken. It must not throw. Set it outside of runs.
  void on_stop(std::function<void()> wake);

  /// Outside of runs: the schedule decides about the pass that comes next, and tells what it knows of it.
  pass_plan prepare();
  /// The same of pass `next`, which no CU has begun: what is asked for further passes of a run may call it.
  pass_plan prepare(pass_id next);
  schedule& plan();
  const schedule& plan() const;
  const workload& work() const;

 private:
  friend class runtime;
  friend class detail::region_run;
  struct parts;

  std::unique_ptr<parts> parts_;  ///< null: moved from
};

}  // namespace yoke
