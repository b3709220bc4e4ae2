#include "first_batches.hpp"

#include "../kinds.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

/// Batches that vary by less are all alike; two passes tell.
constexpr double quiet = 0.08;
constexpr pass_id told_by = 2;
constexpr int of_noisy = 4;
constexpr double most_of_launches = 0.25;

}  // namespace

int batches_to_learn_from(const assignment& shares, const workload& work, std::span<const unit> units,
                          const unit_speeds& speeds, pass_id passes) {
  const bool is_quiet = speeds.gpu_seen < quiet;
  if (is_quiet && passes >= told_by) return 0;
  int batches = is_quiet ? 1 : of_noisy;
  for (const std::size_t gpu : units_of(unit_kind::gpu, units)) {
    const speed& line = speeds.usual[gpu];
    const seconds affordable = most_of_launches * line.per_weight * weight_of(work, shares[gpu]);
    if (!shares[gpu].empty() && line.launch * batches > affordable)
      batches = static_cast<int>(affordable / line.launch);
  }
  return batches;
}

}  // namespace yoke::scheduling
