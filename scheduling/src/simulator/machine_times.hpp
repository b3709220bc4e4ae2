#pragma once
/// What batches take on a simulated machine, noise, drift and copies included.

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include <yoke/simulated_machine.hpp>

namespace yoke::scheduling {

/// The memory of each task's data as batches begin, and what has to be copied for that.
class data_places {
 public:
  /// Keeps references.
  data_places(const simulated_machine& machine, const workload& work, data_start data);

  /// The tasks of a batch go to `unit`: seconds of the copies.
  seconds bring(unit_id unit, std::span<const task_id> batch);

 private:
  struct neighbour {
    task_id task;
    std::size_t bytes = 0;
  };

  seconds time_of_data(const simulated_unit& to, task_id task) const;
  seconds time_of_edges(const simulated_unit& to, std::span<const task_id> batch) const;
  seconds time_between(const simulated_unit& to, space_id other, std::size_t bytes) const;
  link_speed link_of(space_id space) const;

  const simulated_machine& machine_;
  const workload& work_;
  bool has_links_;
  std::vector<space_id> at_;                     ///< negative: nowhere yet
  std::vector<std::vector<neighbour>> senders_;  ///< of each task: who sends it bytes, or takes them from it
};

class machine_times {
 public:
  /// Keeps references.
  machine_times(const simulated_machine& machine, const workload& work, data_start data);

  seconds operator()(unit_id unit, pass_id pass, std::span<const task_id> batch);
  /// Of a task that all units run one of at the same time, its data at hand; noise included.
  seconds rehearsal(unit_id unit, task_id task);
  bool is_away(unit_id unit, pass_id pass) const { return change_of(unit, pass) <= 0; }

 private:
  struct course {
    std::mt19937_64 random;
    pass_id pass = 0;
    double drifted = 0;  ///< logarithm of its speed
  };

  double change_of(unit_id unit, pass_id pass) const;
  double drift_of(unit_id unit, pass_id pass);
  double noise_of(unit_id unit);

  const simulated_machine& machine_;
  const workload& work_;
  data_places places_;
  std::vector<course> courses_;
};

}  // namespace yoke::scheduling
