#include "unit_record.hpp"

#include <algorithm>
#include <cmath>
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

void unit_record::forget_slower(double per_weight, double more) {
  std::ranges::rotate(warm_.kept, warm_.kept.begin() + static_cast<std::ptrdiff_t>(warm_.oldest));
  warm_.oldest = 0;
  std::erase_if(warm_.kept,
                [&](const auto& batch) { return batch.second > per_weight * (batch.first + more); });
  ++changes_;
}

void unit_record::forget() {
  const std::size_t changes = changes_ + 1;
  *this = unit_record{warm_.most};
  changes_ = changes;
}

}  // namespace yoke::scheduling
