#pragma once
/// The same kernels as a user of Yoke writes them.

#include "grid.hpp"

#include <string>
#include <vector>

#include <yoke/yoke.hpp>

namespace user_kernels {

/// Memory that is registered while it lives.
class placed_array {
 public:
  explicit placed_array(std::size_t size);
  ~placed_array();
  placed_array(placed_array&&) noexcept = default;

  /// Its address for the CU that calls, after a migration where one is needed.
  yoke::device_ptr<double> here();
  /// On the host, likewise.
  std::vector<double>& on_host();

 private:
  std::vector<double> data_;
};

/// Consecutive layers of the grid, which are one task.
struct block {
  std::int64_t layers;
  placed_array from;  ///< with its halo
  placed_array to;
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
  yoke::task_loop loop_;
};

}  // namespace user_kernels
