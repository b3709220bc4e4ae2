// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Tasks that were listed once, to be told again and again.

#include <cstddef>
#include <memory>
#include <utility>

#include <yoke/task.hpp>

namespace yoke {

namespace detail {

struct recorded_tasks;

/// While it lives, what the calling thread tells the group is listed, and not run.
class task_recorder {
 public:
  /// Errors: usage_error inside another one, in a task, in a parallel region, in a forked child.
  explicit task_recorder(const std::shared_ptr<task_core>& of);
  ~task_recorder();
  task_recorder(const task_recorder&) = delete;
  task_recorder& operator=(const task_recorder&) = delete;

  std::shared_ptr<recorded_tasks> take();

 private:
  std::shared_ptr<recorded_tasks> into_;
};

}  // namespace detail

/// What task_group::record has listed, as one task that may be told as often as one likes. It may be moved,
/// and end before what it told; objects and tokens that it names live as long as it is replayed, and bodies
/// find the values that they captured at the record.
///
/// Its tasks get CUs as the group would give them until the times of all their names are known; from then on
/// they keep those that a plan for the whole graph gives (scheduling::plan_tasks), which costs less to tell.
/// Priorities have no meaning then. Where CPU CUs run all of them and each may run on any, a CPU CU that is
/// through takes over what another one has not begun. Of kernels the file that records them is one of
/// yoke_kernel_sources.
class task_recording {
 public:
  /// All its tasks, behind what was told before, as `task` itself would be: it is over when they are, and
  /// fails with the first of them, in the order recorded, that fails. Errors: usage_error as of
  /// task_starter::run, and inside a record.
  task replay() const;
  std::size_t n_tasks() const;
  /// Whether the next replay goes by a plan.
  bool is_planned() const;

 private:
  friend class task_group;
  task_recording(std::shared_ptr<detail::task_core> core, std::shared_ptr<detail::recorded_tasks> all)
      : core_{std::move(core)}, all_{std::move(all)} {}

  std::shared_ptr<detail::task_core> core_;
  std::shared_ptr<detail::recorded_tasks> all_;
};

}  // namespace yoke
