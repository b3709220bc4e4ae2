#pragma once
/// LU on devices: a launch for each hyperplane of each sweep, one for the update and one for the residual,
/// each for all zones of a batch.

#include "../common/solver.hpp"

#include <memory>

namespace npb::lu {

std::unique_ptr<device_solver> make_device_solver(const constants& c);

}  // namespace npb::lu
