#include "moderate.hpp"

#include <algorithm>
#include <cmath>

namespace yoke::scheduling {

double moderation_of(const workload& work) {
  const auto is_moderate = [](double weight) { return weight >= lightest && weight <= heaviest; };
  if (std::ranges::all_of(work.weights, is_moderate)) return 1;
  return std::ldexp(1.0, -std::ilogb(std::ranges::max(work.weights)));
}

workload moderate(workload work) {
  const double by = moderation_of(work);
  if (by == 1) return work;
  for (double& weight : work.weights) weight = std::max(weight * by, lightest);
  return work;
}

}  // namespace yoke::scheduling
