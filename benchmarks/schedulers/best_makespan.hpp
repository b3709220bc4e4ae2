#pragma once
/// The best that any map of whole tasks can do.

#include <span>

namespace bench {

struct makespan_bound {
  double value = 0;
  bool exact = false;  ///< false: a lower bound, as if tasks could be cut, but for the largest
};

/// The least possible time of the last unit when each task runs on one unit: task t takes weights[t] /
/// rates[u] on unit u. Branch and bound, the heaviest task first; where that takes too long, a lower bound.
/// Requires positive weights and rates.
makespan_bound best_makespan(std::span<const double> weights, std::span<const double> rates);

}  // namespace bench
