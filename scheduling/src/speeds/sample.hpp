#pragma once
/// Which times of batches speeds are fitted to.

#include <yoke/ids.hpp>
#include <yoke/number_range.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// False of 0, where timing is off.
inline bool is_sample(seconds time) { return time > 0 && detail::batch_times.has(time); }

/// Also of a weight that is one, or the sum of many.
inline bool is_sample(double weight, seconds time) {
  constexpr detail::number_range weights{.most = 1e220};
  return weights.has(weight) && is_sample(time);
}

/// What moderate weights and such times can tell; a fit between opposite ends need not come to rest at one.
inline bool is_speed(const speed& of) {
  constexpr detail::number_range per_weights{.least = 1e-90, .most = 1e90};
  return of.launch >= 0 && of.launch <= per_weights.most && per_weights.has(of.per_weight);
}

}  // namespace yoke::scheduling
