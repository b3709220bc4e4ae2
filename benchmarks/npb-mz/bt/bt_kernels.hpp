#pragma once
/// BT on devices: four launches a step, each for all zones of a batch.

#include "../common/solver.hpp"

#include <memory>

namespace npb::bt {

std::unique_ptr<device_solver> make_device_solver(const constants& c);

}  // namespace npb::bt
