#pragma once
/// What a loop knows of the past: which CU ran each task, how long it took, and what each CU has done.

#include "loop_samples.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

#include <yoke/ids.hpp>
#include <yoke/schedule.hpp>
#include <yoke/task_loop.hpp>

namespace yoke::detail {

/// The last execution of one task. Passes of two CUs may overlap, so it is atomic, but nothing waits for it.
struct task_record {
  std::atomic<seconds> time{0};
  std::atomic<int> unit{-1};
  std::atomic<bool> apportioned{false};

  void set_time(seconds taken, bool is_share) {
    time.store(taken, std::memory_order_relaxed);
    apportioned.store(is_share, std::memory_order_relaxed);
  }
};

/// Thread-safe: each CU tells of itself, anybody asks.
class loop_account {
 public:
  /// `work` must outlive it.
  loop_account(const workload& work, int n_units);

  task_record& of(task_id task) const { return tasks_[static_cast<std::size_t>(int{task})]; }
  void ran(unit_id unit, std::span<const task_id> batch) {
    for (const task_id task : batch) of(task).unit.store(unit, std::memory_order_relaxed);
    add(tally_of(unit).tasks, static_cast<long long>(batch.size()));
  }
  void was_busy(unit_id unit, seconds time) { add(tally_of(unit).busy, time); }
  /// The tasks of a batch that took `time` together: a share for each, by weight.
  void apportion(std::span<const task_id> batch, seconds time);

  unit_times times_of(unit_id unit) const;
  void set_busy(unit_id unit, seconds time);
  long long tasks_run() const;
  void reset_times();

  loop_samples& samples() { return samples_; }
  const loop_samples& samples() const { return samples_; }
  /// These tasks of `unit` have their times of this pass.
  void keep(unit_id unit, pass_id pass, std::span<const task_id> batch);

 private:
  /// Padded to two cache lines, because neighbouring lines are fetched in pairs.
  struct alignas(128) unit_tally {
    std::atomic<long long> tasks{0};
    std::atomic<seconds> busy{0};
  };
  unit_tally& tally_of(unit_id unit) const { return units_[static_cast<std::size_t>(int{unit})]; }
  /// For counters with one writer.
  template <class T>
  static void add(std::atomic<T>& counter, T amount) {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }

  const workload& work_;
  int n_units_;
  std::unique_ptr<task_record[]> tasks_;
  std::unique_ptr<unit_tally[]> units_;
  loop_samples samples_;
};

}  // namespace yoke::detail
