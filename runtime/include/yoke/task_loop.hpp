#pragma once
/// A schedule bound to a runtime: the primitives by which threads fetch, run and commit tasks.
/// Source: González & Morancho, Table 5 and Figure 9.

#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/schedule.hpp>

namespace yoke {

class runtime;
class compute_units;
class trace_recorder;

/// What became of one CU since the loop was made (or since reset_times).
struct unit_times {
  int tasks = 0;     ///< tasks run
  seconds busy = 0;  ///< inside batches
};

class task_loop {
 public:
  /// `owner`'s units run the tasks; made by runtime::make_loop.
  task_loop(const compute_units& units, std::unique_ptr<schedule> plan, workload work);
  ~task_loop();
  task_loop(task_loop&&) noexcept;
  task_loop& operator=(task_loop&&) noexcept;

  /// The calling CU's next task of this pass; no_task when it has no more, and then its next call begins the
  /// next pass. One task at a time; run() takes whole batches.
  task_id get_task();
  /// The calling CU starts `task`: its clock runs.
  void execute_task(task_id task);
  /// The calling CU has finished `task`; on a GPU CU after synchronizing.
  /// Errors: usage_error for a task that this CU does not have.
  void commit_task(task_id task);

  /// The whole batch at once, for run() and for batched kernels: next batch of the calling CU, or empty.
  std::span<const task_id> get_batch();
  void execute_batch(std::span<const task_id> batch);
  void commit_batch(std::span<const task_id> batch);

  /// The CU that ran `task` last; -1 before it ran.
  unit_id cu_of(task_id task) const;
  void set_task_time(task_id task, seconds time);
  /// Seconds of the last execution: measured, or its share of the batch by weight (is_apportioned).
  seconds task_time(task_id task) const;
  bool is_apportioned(task_id task) const;
  void set_cu_time(unit_id unit, seconds time);
  seconds cu_time(unit_id unit) const;
  unit_times times_of(unit_id unit) const;
  bool is_dynamic() const;
  bool is_static() const;
  /// Which CU has which tasks; to std::cout, as in the paper, or to `out`.
  void print_schedule() const;
  void print_schedule(std::ostream& out) const;
  void print_task_times() const;
  void print_task_times(std::ostream& out) const;
  void print_cu_times() const;
  void print_cu_times(std::ostream& out) const;

  /// Without timing get/execute/commit read no clock; schedules that fit speeds then stay with their first
  /// map.
  void set_timing(bool on);
  /// Forgets busy times and counts, not the map: after a warm-up.
  void reset_times();
  /// Pass the calling CU is in.
  pass_id pass() const;

  schedule& plan() { return *plan_; }
  const schedule& plan() const { return *plan_; }
  const workload& work() const { return work_; }

 private:
  friend class runtime;
  struct unit_state;
  const compute_units* units_;
  std::unique_ptr<schedule> plan_;
  workload work_;
  std::unique_ptr<unit_state[]> states_;
  std::vector<seconds> task_times_;
  std::vector<signed char> apportioned_;
  std::vector<unit_id> task_units_;
  bool timing_ = true;
  trace_recorder* trace_ = nullptr;
};

}  // namespace yoke
