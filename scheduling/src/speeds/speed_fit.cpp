#include "median.hpp"
#include "sample.hpp"

#include <algorithm>
#include <cmath>

#include <yoke/speed_fit.hpp>

namespace yoke {

namespace {

using samples = std::vector<std::pair<double, seconds>>;

/// Slopes between batches of clearly different weights: of nearly equal ones the noise would decide.
std::vector<double> pairwise_slopes(const samples& all) {
  constexpr double clearly = 0.3;
  std::vector<double> slopes;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double difference = all[i].first - all[j].first;
      if (std::abs(difference) > clearly * std::max(all[i].first, all[j].first))
        slopes.push_back((all[i].second - all[j].second) / difference);
    }
  return slopes;
}

speed through_origin(const samples& all) {
  std::vector<double> rates;
  for (const auto& [weight, time] : all) rates.push_back(time / weight);
  return {.launch = 0, .per_weight = detail::median(rates)};
}

}  // namespace

void speed_fit::add(double weight, seconds time) {
  if (!scheduling::is_sample(weight, time)) return;
  if (samples_.size() < max_samples) {
    samples_.emplace_back(weight, time);
    return;
  }
  samples_[oldest_] = {weight, time};
  oldest_ = (oldest_ + 1) % max_samples;
}

std::optional<speed> speed_fit::fit() const {
  if (samples_.empty()) return std::nullopt;
  std::vector<double> slopes = pairwise_slopes(samples_);
  if (slopes.empty()) return through_origin(samples_);
  const double slope = detail::median(slopes);
  std::vector<double> offsets;
  for (const auto& [weight, time] : samples_) offsets.push_back(time - slope * weight);
  const double offset = detail::median(offsets);
  if (slope <= 0 || offset < 0) return through_origin(samples_);
  return speed{.launch = offset, .per_weight = slope};
}

}  // namespace yoke
