#pragma once
/// What a binder and a plan know of the machine: classes of units, room, ways between memories.

#include <cstddef>
#include <span>
#include <vector>

#include <yoke/task_binder.hpp>

namespace yoke::scheduling {

class machine_view {
 public:
  /// Errors: those of task_binder.
  explicit machine_view(const task_machine& machine);

  std::size_t n_units() const { return units_.size(); }
  std::size_t n_spaces() const { return n_spaces_; }
  const std::vector<int>& room() const { return room_; }
  bool is_cpu(std::size_t unit) const { return units_[unit].kind == unit_kind::cpu; }
  std::size_t space_of(std::size_t unit) const { return static_cast<std::size_t>(int{units_[unit].space}); }
  std::size_t class_of(std::size_t unit) const { return class_of_[unit]; }
  /// Units of one class and memory, of which an estimate is the same: ascending.
  const std::vector<std::vector<int>>& groups() const { return groups_; }
  std::size_t group_of(std::size_t unit) const { return group_of_[unit]; }
  /// Of each class, what the hardware promises that work takes, in any unit.
  const std::vector<double>& promised() const { return promised_; }
  const link_speed& way(std::size_t from, std::size_t to) const { return ways_[from * n_spaces_ + to]; }

  /// The units that a task may have: those of its list, or all; where it wants several CPU CUs, CPU CUs
  /// alone. In ascending order, each once. Errors: usage_error as task_binder::tell.
  std::vector<int> units_for(std::span<const unit_id> on, int cpus) const;
  /// Errors: usage_error for a unit or memory that there is not; `what` begins the message.
  std::size_t checked(unit_id unit, const char* what) const;
  std::size_t checked(space_id space, const char* what) const;

 private:
  void add_unit(const unit& next);
  void add_way(const memory_way& way);
  void go_through_host();
  void add_to_group(std::size_t unit);

  std::vector<unit> units_;
  std::vector<int> room_;
  std::vector<std::size_t> class_of_;
  std::vector<unit> classes_;  ///< one of each
  std::vector<std::vector<int>> groups_;
  std::vector<std::size_t> group_of_;
  std::vector<double> promised_;
  std::size_t n_spaces_ = 1;
  std::vector<link_speed> ways_;
};

}  // namespace yoke::scheduling
