#pragma once
/// The kernels as loops of plain OpenMP.

#include "grid.hpp"

#include <vector>

namespace user_kernels {

/// The whole grid in one piece.
class plain_grid {
 public:
  plain_grid(const grid& shape, int threads);
  /// The kernel once over all points, by a team of the threads.
  void pass();
  const std::vector<double>& results() const { return to_; }

 private:
  grid shape_;
  int threads_;
  std::vector<double> from_;
  std::vector<double> to_;
  std::vector<double> table_ = table();
};

}  // namespace user_kernels
