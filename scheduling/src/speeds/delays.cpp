#include "delays.hpp"

#include "median.hpp"

#include <algorithm>
#include <limits>

namespace yoke::scheduling {

std::vector<double> delays_of(const unit_samples& batches, double most_of_launch, double quantile) {
  std::vector<double> delays(batches.size(), std::numeric_limits<double>::infinity());
  if (batches.empty()) return delays;
  for (const double launch : {0.0, most_of_launch}) {
    std::vector<double> rates;
    for (const auto& [weight, time] : batches) rates.push_back(time / (weight + launch));
    std::vector<double> sorted = rates;
    const double usual = detail::lower_quantile(sorted, quantile);
    for (std::size_t i = 0; i < rates.size(); ++i) delays[i] = std::min(delays[i], rates[i] / usual);
  }
  return delays;
}

}  // namespace yoke::scheduling
