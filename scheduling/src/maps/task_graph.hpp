#pragma once
/// Tasks and what they exchange, as an undirected graph.

#include <cstddef>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// A neighbour and the bytes exchanged with it between two passes, both ways.
struct neighbour {
  int task = 0;
  double bytes = 0;
};

class task_graph {
 public:
  /// Edges of a task with itself, which exchange nothing between units, are left out.
  explicit task_graph(const workload& work);

  int n_tasks() const { return static_cast<int>(weights_.size()); }
  double weight(int task) const { return weights_[static_cast<std::size_t>(task)]; }
  std::span<const neighbour> neighbours(int task) const;

 private:
  std::vector<double> weights_;
  std::vector<std::size_t> first_;  ///< of each task in neighbours_
  std::vector<neighbour> neighbours_;
};

/// Bytes between tasks of different parts; `part_of` has one for each task.
double cut_of(const task_graph& graph, std::span<const int> part_of);

}  // namespace yoke::scheduling
