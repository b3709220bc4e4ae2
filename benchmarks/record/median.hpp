#pragma once
/// The middle of what was measured.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace record {

/// Of an even number the mean of the two in the middle. Requires: !values.empty().
inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// `of` names what of a sample is meant.
template <class Sample, class Of>
double median(const std::vector<Sample>& samples, Of of) {
  std::vector<double> values;
  for (const Sample& each : samples) values.push_back(std::invoke(of, each));
  return median(std::move(values));
}

}  // namespace record
