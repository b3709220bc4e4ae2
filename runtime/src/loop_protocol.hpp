#pragma once
/// How the CUs of a loop fetch, execute and commit.

#include "attendance.hpp"
#include "loop_account.hpp"
#include "loop_trace.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

#include <yoke/clock.hpp>
#include <yoke/schedule.hpp>

namespace yoke::detail {

/// Where a CU is between fetching and committing.
enum class stage : unsigned char { idle, fetched, running, batch_fetched, batch_running };

/// Of one CU and seen by it alone; padded to two cache lines, because neighbouring lines are fetched in
/// pairs.
struct alignas(128) unit_state {
  unit_id id;
  detail::stage stage = stage::idle;
  task_id open = no_task;            ///< fetched, not committed
  std::span<const task_id> batch{};  ///< what the schedule gave last
  std::size_t handed_out = 0;        ///< tasks of the batch given to the CU so far
  ticks started = 0;                 ///< of the open task or batch
  ticks ended = 0;                   ///< of the last one
  ticks excluded = 0;                ///< of them, spent waiting for another CU
  ticks batch_ticks = 0;             ///< inside tasks of this batch
  pass_id pass = 0;
  pass_id told_until = 0;     ///< the first pass of which the schedule is to be asked what it knows
  bool is_first_come = true;  ///< until then

  bool is_settled() const { return told_until == pass_plan::for_good; }
  execution last() const { return {id, pass, started, ended}; }
  /// "is running task 3"
  std::string in_hand() const;
};

/// The members that take a unit_state are for its CU's thread. Errors: as those of task_loop.
class loop_protocol {
 public:
  /// Schedule, workload and account must outlive it.
  loop_protocol(schedule& plan, const workload& work, loop_account& account, int n_units);

  unit_state& state_of(int unit) const { return states_[static_cast<std::size_t>(unit)]; }
  /// Units ask this one from here on, which asks the plan: to check what it gives.
  void ask_through(schedule& asked) { asked_ = &asked; }
  void show_in(trace_recorder* recorder, int number);
  void set_timing(bool on);
  bool is_timed() const { return timing_; }

  task_id get_task(unit_state& state);
  void execute_task(unit_state& state, task_id task);
  void commit_task(unit_state& state, task_id task);
  /// Waits for the other CUs no longer than `patience` where it begins a pass whose map is open.
  std::span<const task_id> get_batch(unit_state& state, seconds patience);
  void execute_batch(unit_state& state, std::span<const task_id> batch);
  void commit_batch(unit_state& state, std::span<const task_id> batch);

  /// The CU has no tasks for a while and asks for none: nobody waits for it, until it catches up.
  void stay_away(unit_id unit) noexcept { attendance_.excuse(unit); }
  /// CUs that stayed away have had all passes before this one. Only while no CU runs.
  void catch_up(pass_id pass) noexcept;

  /// Errors: usage_error where a CU has something in hand, is in another pass, or a run has failed.
  void check_ready_to_run() const;
  void check_task(task_id task, const char* call) const;
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }
  bool is_stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }
  const std::atomic<bool>& stopped() const noexcept { return stopped_; }

  /// How long a CU waits for the others where they need not come: longer than a thread that has to be woken
  /// on a busy machine needs, and no more than a hiccup where it was in vain.
  static constexpr seconds patience_with_others = 0.25;

 private:
  bool fetch(unit_state& state, seconds patience);
  void begin_pass(unit_state& state, seconds patience);
  void start_clock(unit_state& state) const;
  seconds stop_clock(unit_state& state);
  void finish_batch(unit_state& state);

  schedule& plan_;
  schedule* asked_;  ///< the plan, or what checks it
  const workload& work_;
  loop_account& account_;
  int n_units_;
  std::unique_ptr<unit_state[]> states_;
  attendance attendance_;
  loop_trace trace_;
  std::atomic<bool> stopped_{false};
  seconds tick_;
  bool timing_ = true;
  bool clocked_ = true;
};

}  // namespace yoke::detail
