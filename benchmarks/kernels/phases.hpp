#pragma once
/// The time of each phase of the host solvers.

#include "common/problem.hpp"

#include <vector>

namespace kernels {

/// Core seconds that each phase (flop_counts.hpp) takes for an interior point, over `steps` steps of all
/// zones of `what` by `n_threads` threads, each with zones of its own, as CPU CUs of one CPU have them.
std::vector<double> time_of_phases(const npb::problem& what, int n_threads, int steps);

}  // namespace kernels
