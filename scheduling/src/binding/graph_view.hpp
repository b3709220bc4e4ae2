#pragma once
/// A graph that is known as a whole, on a machine.

#include "machine_view.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include <yoke/task_plan.hpp>

namespace yoke::scheduling {

/// How far a task is from the end.
struct way_to_end {
  bool is_least = false;   ///< by the fastest unit's times; else by their mean
  bool has_copies = true;  ///< with the mean time of copies
};

class graph_view {
 public:
  /// Errors: those of heft.
  graph_view(const task_machine& machine, std::span<const recorded_task> tasks,
             const kind_times_by_unit& times);

  std::size_t n_tasks() const { return tasks_.size(); }
  const machine_view& machine() const { return machine_; }
  const recorded_task& task(std::size_t at) const { return tasks_[at]; }
  const std::vector<int>& units(std::size_t task) const { return units_[task]; }
  seconds time(std::size_t task, int unit) const {
    const recorded_task& of = tasks_[task];
    return times_[static_cast<std::size_t>(of.kind)][static_cast<std::size_t>(unit)] * of.work;
  }
  seconds least_time(std::size_t task) const;
  seconds mean_time(std::size_t task) const;
  std::vector<double> ways_to_end(way_to_end how) const;

 private:
  void check() const;
  seconds mean_copy(std::size_t from, std::size_t to) const;

  machine_view machine_;
  std::span<const recorded_task> tasks_;
  const kind_times_by_unit& times_;
  std::vector<std::vector<int>> units_;
  link_speed mean_way_;  ///< `bandwidth` is its inverse here
};

}  // namespace yoke::scheduling
