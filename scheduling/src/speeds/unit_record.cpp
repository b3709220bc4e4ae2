#include "unit_record.hpp"

#include "delays.hpp"
#include "sample.hpp"

#include <algorithm>
#include <cstddef>
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
  if (!is_sample(weight, time)) return;
  (is_warm ? warm_ : cold_).add(weight, time);
  ++changes_;
}

std::vector<double> unit_record::delays(double most_of_launch) const {
  return delays_of(samples(), most_of_launch, quickest);
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
