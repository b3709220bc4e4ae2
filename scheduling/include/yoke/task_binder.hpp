// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which unit runs which task of a graph that is told as it grows, and when.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/link_speed.hpp>
#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// The way from one memory to another.
struct memory_way {
  space_id from, to;
  link_speed speed{};
};

/// What tasks are bound to. Units of one kind that have as many CPUs and processors are of one class: what is
/// measured on one of them holds for all.
struct task_machine {
  std::vector<unit> units{};
  /// Of each unit, the tasks that may be bound to it and not over; empty, and 0: 1 of a CPU CU, 4 of a GPU
  /// CU, as many as it has streams.
  std::vector<int> room{};
  /// Of pairs that are not here copies go through host memory, or take no time where that is not here either.
  std::vector<memory_way> ways{};
};

/// A task that a binder was told; a number of no meaning.
enum class told_task : std::uint64_t {};

/// What a task does with a piece: anything that is versioned as one, under a number of the caller's.
struct piece_use {
  std::uint64_t piece = 0;
  std::size_t bytes = 0;
  bool reads = true;
  bool writes = false;
};

/// A task, as it is told.
struct task_request {
  /// Tasks of one kind take times in proportion to `work`; any number.
  int kind = 0;
  double work = 1;   ///< from 1e-40 to 1e40
  int priority = 0;  ///< any; greater is more urgent
  /// So many CPU CUs of its list at once, as one; 1: one unit, CPU CU or GPU CU.
  int cpus = 1;
  std::span<const unit_id> on{};       ///< units that it may run on; empty: all
  std::span<const told_task> after{};  ///< what must have ended before it starts
  std::span<const piece_use> uses{};
  void* own = nullptr;  ///< the caller's, which its binding has
};

/// Where a task runs. The times are estimates, in the clock of bind_next; `end` is infinite while nothing is
/// known of its kind.
struct task_binding {
  told_task task{};
  std::span<const unit_id> units{};  ///< one, or `cpus`; valid until the next call of the binder
  seconds begin = 0, end = 0;
  void* own = nullptr;  ///< of its request
};

/// Binds each task to a unit when all that it comes after is bound, not ended, so that it is queued there and
/// its data travel meanwhile.
///
///   const told_task a = binder.tell({.kind = potrf, .uses = pieces});
///   while (const auto next = binder.bind_next(now)) …    // queue it there; its units are next->units
///   binder.started(a, now);
///   binder.ended(a, now, seconds_that_it_ran);           // then ask bind_next again
///
/// - The more urgent task chooses first: by priority, then in the order told. It takes the unit of its list
///   where it is estimated to end first: after what that has to do, what the task comes after, and copies of
///   what it reads, which overlap.
/// - A unit that has no room counts too: where it would be worth waiting for, the task stays ready and others
///   choose. So no task is bound to a slow unit a moment before a fast one has room. When a task waits so for
///   a unit that has room now, others get that only where they end before.
/// - A CPU CU is not kept waiting for what a task comes after while another task has use for it; nor where it
///   finds all data and gains nothing, but would be woken for each task of a chain that could stay where it
///   is.
/// - A task of a kind of which nothing is known takes a unit of its list that has room, of the class of which
///   the hardware promises most; while the first one is under way others wait for that class. What is known
///   on one class of units is guessed for another by what other kinds take there, or what the hardware
///   promises; once, the guess is taken for three times too long, so that one task tries.
/// - Tasks of several CPU CUs get all of them at once. While one waits it keeps those that are through first,
///   and less urgent tasks do not get them: so it is not passed over for ever.
/// - Whenever bind_next gives nothing and tasks are ready, one that is bound has not ended.
///
/// Pure: no device, thread or clock. Not thread-safe. The same calls give the same answers.
/// Cost: of tell O(after + uses + log(ready)); of bind_next the same, and beside it at most 32 tasks of each
/// list of units that the program uses are looked at, times the units of the list. On one CPU, of a task from
/// tell to ended: 0.4 µs on 2 CPU CUs, 1.5 µs on 15 and a GPU. Memory: about 100 bytes for each task that is
/// not over, 8 for each that it comes after, 12 for each use, 16 while it is ready.
class task_binder {
 public:
  /// Errors: usage_error without units, with a room below 0 or not one for each unit, a memory above 63, or a
  /// bandwidth or latency that is none.
  explicit task_binder(const task_machine& machine);
  ~task_binder();
  task_binder(task_binder&&) noexcept;
  task_binder& operator=(task_binder&&) noexcept;

  /// A first estimate of what work 1 takes on units of the class of `unit`; forgotten at the first measured
  /// time. Errors: usage_error for a unit that there is not, or a time outside of 1e-40 to 1e40 s.
  void expect(int kind, unit_id unit, seconds per_work);
  /// What is known or guessed; nullopt where nothing is.
  std::optional<seconds> estimate(int kind, unit_id unit) const;

  /// Errors: usage_error for a unit that there is not, `cpus` below 1 or more than the CPU CUs of its list, a
  /// task in `after` that this binder was not told, and work outside of its range. Then nothing has been
  /// told.
  told_task tell(const task_request& next);

  /// The next task that is bound; nullopt until one is told, ends or is cancelled. `now` never goes back.
  std::optional<task_binding> bind_next(seconds now);

  /// Whether bind_next may give one; where it is false it gives none at any time.
  bool may_bind() const;

  /// The task runs. Needed where it may wait on its unit, for estimates alone.
  /// These three: usage_error for a task that was not told, or is not bound, or is over.
  void started(told_task task, seconds now);
  /// It is over, and ran for `time` seconds; 0: not measured.
  void ended(told_task task, seconds now, seconds time);
  /// It is over, in vain: its time is no measure. What comes after it is the caller's to cancel.
  void failed(told_task task, seconds now);
  /// It will not run, where it is not bound yet; what comes after it waits for what it came after. Whether
  /// that is so: one that is bound stays so until it has ended or failed. No effect on what is over.
  /// Errors: usage_error for a task that was not told.
  bool cancel(told_task task);

  /// The latest version of a piece is in this memory alone: for what changes outside of tasks. Pieces that
  /// were never named are in host memory.
  void is_in(std::uint64_t piece, space_id memory);
  /// No task that is not over uses the piece, and none will.
  void forget(std::uint64_t piece);

  /// Has room for a task. Errors: usage_error for a unit that there is not.
  bool is_free(unit_id unit) const;
  std::size_t n_ready() const;  ///< tasks that may be bound, and are not
  std::size_t n_told() const;   ///< tasks that are not over

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace yoke::scheduling
