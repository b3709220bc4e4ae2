#include "unit_record.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace yoke::scheduling {

void unit_record::newest::add(double weight, seconds time) {
  if (kept.size() < most) {
    kept.emplace_back(weight, time);
    return;
  }
  kept[oldest] = {weight, time};
  oldest = (oldest + 1) % most;
}

void unit_record::add(double weight, seconds time, bool is_warm) {
  if (!(weight > 0) || !(time > 0) || !std::isfinite(weight) || !std::isfinite(time)) return;
  (is_warm ? warm_ : cold_).add(weight, time);
  ++changes_;
}

std::vector<double> unit_record::delays(double most_of_launch) const {
  const batches& all = samples();
  std::map<double, seconds> at_most;  // that batches of a weight take, where nothing delays them
  std::vector<seconds> told;
  for (const auto& [weight, time] : all) {
    const auto [known, is_new] = at_most.try_emplace(weight);
    if (!is_new) continue;
    told.clear();
    for (const auto& [of, took] : all)
      told.push_back(took * std::max(weight / of, (weight + most_of_launch) / (of + most_of_launch)));
    const auto tenth = told.begin() + static_cast<std::ptrdiff_t>(told.size() / 10);
    std::ranges::nth_element(told, tenth);
    known->second = *tenth;
  }
  std::vector<double> delays;
  for (const auto& [weight, time] : all) delays.push_back(time / at_most[weight]);
  return delays;
}

void unit_record::forget_delayed(double most_of_launch, double most) {
  if (!is_warm()) return;
  const std::vector<double> of = delays(most_of_launch);
  batches kept;
  const std::size_t n = warm_.kept.size();
  for (std::size_t i = 0; i < n; ++i)
    if (const std::size_t at = (warm_.oldest + i) % n; of[at] <= most) kept.push_back(warm_.kept[at]);
  warm_.kept = std::move(kept);
  warm_.oldest = 0;
  ++changes_;
}

void unit_record::forget() {
  const std::size_t changes = changes_ + 1;
  *this = unit_record{warm_.most};
  changes_ = changes;
}

}  // namespace yoke::scheduling
