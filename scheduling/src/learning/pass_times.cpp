#include "pass_times.hpp"

#include "../speeds/median.hpp"

#include <algorithm>
#include <cmath>

namespace yoke::scheduling {

namespace {

/// What is expected of passes counts as much as so many that were timed.
constexpr double weight_of_expected = 4;
/// Of two passes so far apart the later one is an outlier.
constexpr double outlier = 2.5;

}  // namespace

void pass_times::add(seconds time, pass_id passes, double overlap, seconds around) {
  const double unsure = passes > 1 ? overlap / 2 : 0;
  const seconds pass = time / (static_cast<seconds>(passes) + unsure);
  each_.emplace_back(pass, passes);
  unsure_ += unsure + around / 2 / pass;
}

std::optional<pass_time> pass_times::get(double spread) const {
  if (each_.empty()) return std::nullopt;
  std::vector<double> times, distances;
  double passes = 0;
  for (const auto& [time, n] : each_) {
    times.push_back(time);
    passes += static_cast<double>(n);
  }
  const bool one_is_late = times.size() == 2 && std::ranges::max(times) > outlier * std::ranges::min(times);
  const double usual = one_is_late ? std::ranges::min(times) : detail::weighted_median(each_);
  for (const auto& [time, n] : each_)
    distances.push_back(std::abs(time - usual) * std::sqrt(static_cast<double>(n)));
  // The median's standard error is 1.25 times the mean's; a normal deviation is 1.48 times the median one.
  const double seen = 1.25 * 1.48 * detail::median(distances) / usual;
  const auto n = static_cast<double>(each_.size()) - 1;
  const double both =
      std::sqrt((n * seen * seen + weight_of_expected * spread * spread) / (n + weight_of_expected));
  return pass_time{usual, std::hypot(both / std::sqrt(passes), unsure_ / passes)};
}

}  // namespace yoke::scheduling
