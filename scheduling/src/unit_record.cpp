#include "unit_record.hpp"

#include <cmath>

namespace yoke::scheduling {

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

void unit_record::forget() {
  samples_.clear();
  oldest_ = 0;
  is_warm_ = false;
}

}  // namespace yoke::scheduling
