// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Speeds of compute units from timed batches.

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <yoke/ids.hpp>

namespace yoke {

/// Seconds of a batch of total weight w on one unit: launch + per_weight * w.
struct speed {
  seconds launch = 0;
  seconds per_weight = 0;
};

/// Collects (weight, seconds) of batches and fits a line that outliers do not move: the median of pairwise
/// slopes (Theil-Sen), with launch >= 0 and per_weight > 0. Where the weights are too alike to tell a slope
/// (within 30 %), or noise makes launch or slope negative, the line goes through the origin and the median of
/// seconds per weight. Keeps the 256 most recent samples. Not thread-safe.
class speed_fit {
 public:
  /// Ignored unless the time is from 1e-40 to 1e40 seconds, as 0 means that timing is off, and the weight of
  /// tasks or of many of them.
  void add(double weight, seconds time);
  /// nullopt without samples. Cost: O(samples^2).
  std::optional<speed> fit() const;

  /// How many samples are kept.
  static constexpr std::size_t max_samples = 256;

 private:
  std::vector<std::pair<double, seconds>> samples_;
  std::size_t oldest_ = 0;
};

}  // namespace yoke
