#pragma once
/// Hands out tasks to whoever asks, and gives no space more than its memory.

#include "../maps/assignment.hpp"
#include "../maps/memory_limits.hpp"

#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// What descriptions of such schedules add.
inline constexpr std::string_view while_memory_lasts = " while there is room";

/// For workloads that some space has no room for. Each task's data are in one space: a unit gets the tasks of
/// its own space first, then others while there is room for them. Room is taken when a task is handed out and
/// given back where its data were when the batch is done, that is, when they have left. A unit gets nothing
/// more in a pass only when no task of its space is left in it, so every task is handed out in every pass,
/// and a task of a pass never before it was in the pass before. Thread-safe.
class resident_tasks {
 public:
  /// Whether some space has no room for all tasks.
  static bool are_needed(const workload& work, std::span<const unit> units) {
    return memory_limits{work, units}.any();
  }
  /// Tasks begin with CPU CUs as far as there is room, and evenly on GPU CUs where there are no others.
  /// Errors: out_of_memory with the numbers, where they fit nowhere.
  resident_tasks(const workload& work, std::span<const unit> units, std::string_view schedule_name);

  /// At most size_of(remaining) tasks of `pass`; empty when there are no more for `unit`. Valid until the
  /// unit's next call.
  std::span<const task_id> take(unit_id unit, pass_id pass, const std::function<int(int)>& size_of);
  void done(unit_id unit);
  /// The unit in whose space each task begins.
  const std::vector<unit_id>& homes() const { return homes_; }

 private:
  struct task_state {
    unit_id at{};       ///< a unit of the space that has its data, or will when its batch is done
    pass_id pass = -1;  ///< in which it was last handed out
  };
  struct unit_state {
    std::vector<task_id> batch;
    std::vector<unit_id> left;  ///< by task of the batch: where its data were
  };

  bool is_in_space_of(unit_id unit, const task_state& task) const {
    return spaces_[index(task.at)] == spaces_[index(unit)];
  }
  void give_back(unit_id unit);
  void add(unit_id unit, pass_id pass, std::size_t size, bool of_own_space);

  std::vector<space_id> spaces_;  ///< of each unit
  std::vector<unit_id> homes_;
  std::mutex lock_;  ///< of what follows
  memory_limits limits_;
  std::vector<task_state> tasks_;
  std::vector<unit_state> units_;
};

}  // namespace yoke::scheduling
