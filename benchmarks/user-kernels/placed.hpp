#pragma once
/// The same kernels as a user of Yoke writes them.

#include "grid.hpp"

#include <string>
#include <vector>

#include <yoke/yoke.hpp>

namespace user_kernels {

/// Consecutive layers of the grid, which are one task.
struct block {
  block(yoke::runtime& rt, std::int64_t n_layers, std::int64_t n_from, std::int64_t n_to);

  std::int64_t layers;
  std::vector<double> from_values;
  std::vector<double> to_values;
  yoke::placed<double> from;  ///< with its halo
  yoke::placed<double> to;
};

/// The grid in blocks.
class placed_grid {
 public:
  /// As many tasks as there are layers at most.
  placed_grid(yoke::runtime& rt, const grid& shape, const std::string& schedule, int tasks);
  /// The kernel once over all points, on all CUs.
  void pass();
  std::vector<double> results();

 private:
  yoke::runtime& rt_;
  grid shape_;
  std::vector<block> blocks_;
  std::vector<double> table_values_ = table();
  yoke::placed<double> table_;
  yoke::task_loop loop_;
};

}  // namespace user_kernels
