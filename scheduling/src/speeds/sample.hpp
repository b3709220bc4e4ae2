#pragma once
/// Which times of batches speeds are fitted to.

#include <yoke/ids.hpp>
#include <yoke/number_range.hpp>

namespace yoke::scheduling {

/// False of 0, where timing is off.
inline bool is_sample(seconds time) { return time > 0 && detail::batch_times.has(time); }

/// Also of a weight that is one, or the sum of many.
inline bool is_sample(double weight, seconds time) {
  constexpr detail::number_range weights{.most = 1e220};
  return weights.has(weight) && is_sample(time);
}

}  // namespace yoke::scheduling
