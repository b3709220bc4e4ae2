#pragma once
/// SP on devices: four launches a step, each for all zones of a batch.

#include "../common/solver.hpp"

#include <memory>

namespace npb::sp {

std::unique_ptr<device_solver> make_device_solver(const constants& c);

}  // namespace npb::sp
