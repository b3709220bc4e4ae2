#include "delays.hpp"

#include "median.hpp"

#include <algorithm>
#include <limits>

namespace yoke::scheduling {

namespace {

/// What each is of what batches at the quantile say, were a launch to take `launch` and work beside.
void take_least(std::vector<double>& delays, const unit_samples& batches, double quantile, seconds launch,
                double launch_as_work) {
  std::vector<double> rates;
  for (const auto& [weight, time] : batches) rates.push_back((time - launch) / (weight + launch_as_work));
  const double usual = detail::lower_quantile(rates, quantile);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const auto& [weight, time] = batches[i];
    delays[i] = std::min(delays[i], time / (launch + usual * (weight + launch_as_work)));
  }
}

}  // namespace

std::vector<double> delays_of(const unit_samples& batches, double most_of_launch, double quantile) {
  std::vector<double> delays(batches.size(), std::numeric_limits<double>::infinity());
  if (batches.empty()) return delays;
  const seconds quickest = std::ranges::min(batches, {}, &unit_samples::value_type::second).second;
  take_least(delays, batches, quantile, 0, 0);
  take_least(delays, batches, quantile, 0, most_of_launch);
  take_least(delays, batches, quantile, quickest, 0);
  return delays;
}

}  // namespace yoke::scheduling
