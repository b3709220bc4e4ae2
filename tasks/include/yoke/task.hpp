// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Tasks and agents that were told, flags for those that will be, and what is said of them beside their
/// roles.

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/ids.hpp>

namespace yoke {

class task_group;
class task_starter;
class agent_context;
class task_recording;

/// Of a task that never ran, for its group was cancelled before it had a CU.
class task_cancelled : public error {
 public:
  using error::error;
};

namespace detail {
class task_core;
struct task_record;
}  // namespace detail

/// A task or an agent that was told; copies are the same. It may outlive its group. Thread-safe.
class task {
 public:
  /// None: over.
  task() = default;
  /// Errors: with which it has failed, each time; task_cancelled; usage_error in a task, in a parallel
  /// region, in a forked child, and in an agent that would wait in a circle.
  void wait() const;
  /// Without waiting. True where it has failed, too.
  bool is_over() const;

 protected:
  explicit task(std::shared_ptr<detail::task_record> of) : of_{std::move(of)} {}

 private:
  friend class detail::task_core;
  friend class task_starter;
  friend class agent_context;
  friend class task_recording;

  std::shared_ptr<detail::task_record> of_;
};

/// A name for one task or agent of a group that is told later, with this as its `.flag`. It may be waited
/// for, met and come after from the start. Who waits for the group while all its agents wait says that nobody
/// will tell of flags that they wait for: each of these fails with a usage_error then.
class flag : public task {
 public:
  /// `name` is what messages call it until it is told.
  explicit flag(const task_group& of, std::string_view name = "a flag");
};

/// A task or an agent that runs longer than was said.
struct late_task {
  std::string name;
  std::optional<unit_id> unit;  ///< its CU; none of an agent
  double seconds;               ///< that were said
};

/// How long a task or an agent may run before somebody is told, once, while it goes on: `{0.5}`, `{0.5, f}`.
/// A task on a CPU CU runs from when its body begins, one on a GPU CU from when it is on its stream, with
/// what is before it there; an agent until its tasks are over.
struct time_bound {
  double seconds = std::numeric_limits<double>::infinity();  ///< above 0; infinite: none
  /// Empty: a line on stderr. Called on a thread of the group's own, which has no lock, and must not throw
  /// nor wait for tasks; it may cancel the group.
  std::function<void(const late_task&)> warns{};
};

/// What is said of a task beside its roles.
struct task_options {
  std::vector<unit_id> on{};      ///< CUs that it may run on; empty: all, or those of the agent that tells it
  std::optional<int> priority{};  ///< any; greater is more urgent. Not said: 0, or that of the agent
  std::vector<task> after{};  ///< tasks and agents of the same group that it comes after, whatever they use
  double work = 1;            ///< tasks of one name take times in proportion to it; from 1e-40 to 1e40
  task flag{};                ///< a yoke::flag that names it
  int cpus = 1;  ///< CPU CUs of its list that it gets together, as one; 1: one CU of whatever kind
  time_bound at_most{};
};

/// What is said of an agent.
struct agent_options {
  std::vector<unit_id> on{};      ///< of its tasks, where they say nothing else
  std::optional<int> priority{};  ///< the same
  std::vector<task> after{};
  task flag{};
  time_bound at_most{};
};

}  // namespace yoke
