#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace yoke::detail {

/// Reorders `values`, of which there is at least one.
inline double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The value below which such a part of them is. Reorders `values`, of which there is at least one.
inline double lower_quantile(std::vector<double>& values, double at) {
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(values.size() - 1) * at);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

/// Of values that count as often as stands beside them: half of all is not above it, and half not below.
inline double weighted_median(std::vector<std::pair<double, std::int64_t>> values) {
  std::ranges::sort(values);
  std::int64_t all = 0;
  for (const auto& [value, times] : values) all += times;
  auto at = values.begin();
  std::int64_t up_to = at->second;
  while (2 * up_to < all) up_to += (++at)->second;
  return 2 * up_to == all ? (at->first + std::next(at)->first) / 2 : at->first;
}

}  // namespace yoke::detail
