#include "finish.hpp"

#include <algorithm>

namespace yoke::scheduling {

seconds makespan_of(const assignment& shares, const workload& work, std::span<const unit> units,
                    std::span<const speed> speeds) {
  seconds last = 0;
  for (std::size_t u = 0; u < shares.size(); ++u)
    last = std::max(last, finish_of(units[u], speeds[u], weight_of(work, shares[u]), shares[u].size()));
  return last;
}

}  // namespace yoke::scheduling
