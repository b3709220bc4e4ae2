#include "finish.hpp"

#include <algorithm>

namespace yoke::scheduling {

seconds finish_of(const unit& u, const speed& of, double weight, std::size_t tasks) {
  if (tasks == 0) return 0;
  const auto launches = takes_whole_shares(u) ? 1.0 : static_cast<double>(tasks);
  return launches * of.launch + of.per_weight * weight;
}

seconds makespan_of(const assignment& shares, const workload& work, std::span<const unit> units,
                    std::span<const speed> speeds) {
  seconds last = 0;
  for (std::size_t u = 0; u < shares.size(); ++u)
    last = std::max(last, finish_of(units[u], speeds[u], weight_of(work, shares[u]), shares[u].size()));
  return last;
}

}  // namespace yoke::scheduling
