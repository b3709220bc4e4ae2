// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Tasks of a program: named, with roles on placed objects, run on the CUs of a runtime as soon as what they
/// come after is done.
///
///   yoke::placed<double> x{rt, xs, "x"}, y{rt, ys, "y"};
///   yoke::task_group g{rt};
///   g.launch<axpy>({.x = n}, "axpy", in(x), inout(y), 3.14);            // a kernel, on any CU
///   g.run("norm", {.on = g.cpus()}, in(y), [&](yoke::task_context&, auto y) { norm = …; });
///   g.wait();                                                          // rethrows the first error
///
/// Tasks run as if one after the other in the order in which they were told, for what their roles say: one
/// that reads an object comes after the last one that writes it, one that writes it after all that use it.
/// Nothing else orders them but `after`. So the bits of a result depend on no schedule.
///
/// A task is bound to a CU when all that it comes after is bound, not ended: to the CU of its list on which
/// it is estimated to end first, by the times of tasks of that name so far and by what must travel; the more
/// urgent one chooses first. It is queued there, and its objects are brought meanwhile. What comes after an
/// agent is bound when that has ended.
///
/// A body runs later. What it captures by reference must live until then: capture by value, or what lives as
/// long as the group. A task must not wait for tasks, nor tell of any; agents may.

#include <memory>
#include <utility>
#include <vector>

#include <yoke/task_agent.hpp>
#include <yoke/task_recording.hpp>
#include <yoke/task_starter.hpp>

namespace yoke {

/// Starts tasks on one list of CUs: on one CU, a queue of that CU.
class task_queue : public task_starter {
 private:
  friend class task_group;
  using task_starter::task_starter;
};

/// Any number of threads may tell of tasks; their order is that of the calls. One thread waits. A runtime may
/// have several groups at once: what their tasks do with one object is ordered as the tasks were bound, so
/// order it yourself. Calls of placement on an object wait for the tasks that were told before and use it.
class task_group : public task_starter {
 public:
  /// Errors: usage_error in a forked child; device_error.
  explicit task_group(runtime& rt);
  /// Waits for all tasks, and cancels first where an exception passes by. An error that nobody has been told
  /// is printed. One that ends in a task or an agent of its own ends the program, with a message: it would
  /// wait for itself.
  ~task_group();
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Tasks on these CUs alone; a list in their options is refused.
  task_queue on(std::vector<unit_id> units) const { return {shared_core(), std::move(units)}; }
  task_queue on(unit_id unit) const { return on(std::vector{unit}); }
  /// The CPU CUs, and the GPU CUs.
  std::vector<unit_id> cpus() const;
  std::vector<unit_id> gpus() const;

  /// For all tasks and agents. A task that fails takes those along that read what it was to write, or come
  /// after it; all else goes on. Errors: of the first task or agent, in the order told, that failed by itself
  /// since the last wait; usage_error as task::wait, and in an agent of the group.
  void wait();
  /// Tasks without a CU never run, nor do agents that have not started, nor what is told before `wait`
  /// returns. All else goes on.
  void cancel();
  /// Calls `tell`, and lists the tasks that it tells the group, to be replayed: without flags, agents,
  /// `.cpus`, `.at_most`, `present` and try_run (usage_error). A task of it may name others of it in
  /// `.after`, and is not to be waited for; that which replay returns is.
  template <class Tell>
  [[nodiscard]] task_recording record(const Tell& tell) {
    detail::task_recorder here{shared_core()};
    tell();
    return {shared_core(), here.take()};
  }
  /// Has room for a task: a CPU CU for one, a GPU CU for four. Errors: usage_error for a CU that there is
  /// not.
  bool is_free(unit_id unit) const;

 private:
  friend class flag;

  int n_exceptions_;
};

}  // namespace yoke
