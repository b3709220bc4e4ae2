#pragma once
/// When units are through with what a map gives them.

#include "assignment.hpp"

#include <cstddef>
#include <span>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// When a unit is through with so much work in so many tasks: one that takes whole shares launches once.
inline seconds finish_of(const unit& u, const speed& of, double weight, std::size_t tasks) {
  if (tasks == 0) return 0;
  const auto launches = takes_whole_shares(u) ? 1.0 : static_cast<double>(tasks);
  return launches * of.launch + of.per_weight * weight;
}

/// When the last unit is through with its share.
seconds makespan_of(const assignment& shares, const workload& work, std::span<const unit> units,
                    std::span<const speed> speeds);

}  // namespace yoke::scheduling
