#pragma once
/// Speeds of compute units from timed batches.

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

/// Collects (weight, seconds) of batches and fits a line that outliers do not move (median of pairwise
/// slopes, Theil-Sen; with one distinct weight the line goes through the origin and the median time).
class speed_fit {
 public:
  void add(double weight, seconds time);
  std::optional<speed> fit() const;
  int samples() const;

 private:
  std::vector<std::pair<double, seconds>> samples_;
};

}  // namespace yoke
