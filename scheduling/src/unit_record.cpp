#include "unit_record.hpp"

#include "median.hpp"

#include <algorithm>
#include <cmath>

namespace yoke::scheduling {

namespace {

constexpr double kept_by = 0.9;
constexpr double least_margin = 1.1;
/// From as many on the quantile says something.
constexpr std::size_t enough = 8;

double quantile(std::vector<double>& values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

speed times(const speed& line, double factor) {
  return {.launch = factor * line.launch, .per_weight = factor * line.per_weight};
}

}  // namespace

void unit_record::add(double weight, seconds time, bool is_warm) {
  if (!(weight > 0) || !(time > 0) || !std::isfinite(weight) || !std::isfinite(time)) return;
  if (is_warm_ && !is_warm) return;
  if (is_warm && !is_warm_) forget();
  is_warm_ = is_warm;
  if (samples_.size() < most_samples) {
    samples_.emplace_back(weight, time);
    return;
  }
  samples_[oldest_] = {weight, time};
  oldest_ = (oldest_ + 1) % most_samples;
}

void unit_record::contribute(speed_fit& to) const {
  for (const auto& [weight, time] : samples_) to.add(weight, time);
}

std::vector<double> unit_record::ratios_to(const speed& line) const {
  std::vector<double> ratios;
  for (const auto& [weight, time] : samples_)
    ratios.push_back(time / (line.launch + line.per_weight * weight));
  return ratios;
}

std::optional<speed> unit_record::usual(const speed& form) const {
  if (samples_.empty()) return std::nullopt;
  std::vector<double> ratios = ratios_to(form);
  return times(form, detail::median(ratios));
}

std::optional<speed> unit_record::careful(const speed& form) const {
  const std::optional<speed> line = usual(form);
  if (!line) return line;
  std::vector<double> ratios = ratios_to(*line);
  double factor = std::max(1.0, quantile(ratios, kept_by));
  if (ratios.size() < enough) factor = std::max(factor, least_margin);
  return times(*line, factor);
}

void unit_record::forget() {
  samples_.clear();
  oldest_ = 0;
  is_warm_ = false;
}

}  // namespace yoke::scheduling
