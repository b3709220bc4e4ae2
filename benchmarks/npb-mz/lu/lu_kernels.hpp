#pragma once
/// LU on devices: a launch for each sweep, in which tiles of all zones of a batch follow one another, and one
/// for the residual.

#include "../common/solver.hpp"

#include <memory>

namespace npb::lu {

std::unique_ptr<device_solver> make_device_solver(const constants& c);

}  // namespace npb::lu
