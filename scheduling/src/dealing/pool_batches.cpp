#include "pool_batches.hpp"

#include <numeric>

namespace yoke::scheduling {

std::vector<int> pool_batches(std::span<const double> longest_first, int units, int cpus_each, int rounds) {
  /// Sums of equal weights are shares that no rounding may cut.
  constexpr double slack = 1 + 1e-9;
  double left = std::accumulate(longest_first.begin(), longest_first.end(), 0.0);
  std::vector<int> sizes(longest_first.size(), 1);
  for (std::size_t at = 0; at < sizes.size(); ++at) {
    const double share = slack * left / (units * rounds);
    double taken = longest_first[at];
    int& size = sizes[at];
    for (std::size_t next = at + 1; size < cpus_each && next < sizes.size(); ++next) {
      taken += longest_first[next];
      if (taken > share) break;
      ++size;
    }
    left -= longest_first[at];
  }
  return sizes;
}

}  // namespace yoke::scheduling
