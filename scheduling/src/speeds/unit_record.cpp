#include "unit_record.hpp"

#include <cmath>

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
}

void unit_record::forget() { *this = unit_record{warm_.most}; }

}  // namespace yoke::scheduling
