#pragma once
/// Which batches took longer than what they did explains.

#include "speed_model.hpp"

#include <vector>

namespace yoke::scheduling {

/// Of each batch of a unit, how many times as long it took as those at this quantile of them say, the
/// quickest first. Nobody knows what a launch takes: nothing, the work of `most_of_launch`, or, where work is
/// light, as much as the quickest batch; of batches of unlike weight the least that these make of it counts.
std::vector<double> delays_of(const unit_samples& batches, double most_of_launch, double quantile);

}  // namespace yoke::scheduling
