#pragma once
/// What phases of a host step need at a point, counted.

#include "phase_needs.hpp"

#include <vector>

namespace kernels {

/// Lines of 64 interior points. A flop is an addition, multiplication, division or root; an fma is two.
std::vector<phase_needs> counted_needs_of(npb::benchmark_kind kind);

}  // namespace kernels
