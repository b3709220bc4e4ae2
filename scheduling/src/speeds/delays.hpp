#pragma once
/// Which batches took longer than what they did explains.

#include "speed_model.hpp"

#include <vector>

namespace yoke::scheduling {

/// Of each batch of a unit, how many times as long it took as those at this quantile of them say, the
/// quickest first. A launch takes between nothing and the work of `most_of_launch`, nobody knows what, so
/// that of batches of unlike weight the least that either would make of it counts.
std::vector<double> delays_of(const unit_samples& batches, double most_of_launch, double quantile);

}  // namespace yoke::scheduling
