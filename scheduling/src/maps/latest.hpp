#pragma once

#include <cmath>

namespace yoke::scheduling {

/// Mean excess of the latest of n that vary, in deviations of one.
inline double excess_of_latest(double n) { return n < 2 ? 0 : std::sqrt(2 * std::log(n)) - 0.57; }

}  // namespace yoke::scheduling
