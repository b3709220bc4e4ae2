#pragma once
/// What a loop keeps for each CU and each task.

#include <atomic>
#include <cstddef>
#include <span>

#include <yoke/task_loop.hpp>

namespace yoke {

/// Where a CU is between fetching and committing.
enum class stage : unsigned char { idle, fetched, running, batch_fetched, batch_running };

/// Written by its CU only; padded to two cache lines, because neighbouring lines are fetched in pairs.
/// `tasks` and `busy` are read by others.
struct alignas(128) task_loop::unit_state {
  unit_id id;
  stage stage = stage::idle;
  task_id open = no_task;            ///< fetched, not committed
  std::span<const task_id> batch{};  ///< what the schedule gave last
  std::size_t handed_out = 0;        ///< tasks of the batch given to the CU so far
  ticks started = 0;                 ///< of the open task or batch
  ticks ended = 0;                   ///< of the last one
  ticks excluded = 0;                ///< of them, spent waiting for another CU
  ticks batch_ticks = 0;             ///< inside tasks of this batch
  pass_id pass = 0;
  pass_id told_until = 0;  ///< the first pass of which the schedule is to be asked what it knows
  std::atomic<long long> tasks{0};
  std::atomic<seconds> busy{0};

  bool is_settled() const { return told_until == pass_plan::for_good; }
};

/// The last execution of one task. Passes of two CUs may overlap, so it is atomic, but nothing waits for it.
struct task_loop::task_record {
  std::atomic<seconds> time{0};
  std::atomic<int> unit{-1};
  std::atomic<bool> apportioned{false};
};

inline task_loop::task_record& task_loop::record_of(int task) const {
  return records_[static_cast<std::size_t>(task)];
}

/// For counters with one writer.
template <class T>
void add(std::atomic<T>& counter, T amount) {
  counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

inline bool same(std::span<const task_id> a, std::span<const task_id> b) {
  return a.data() == b.data() && a.size() == b.size();
}

}  // namespace yoke
