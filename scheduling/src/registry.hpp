#pragma once
/// The schedules that the program has registered.

#include <vector>

#include <yoke/schedule_factory.hpp>

namespace yoke::scheduling {

struct registered_schedule {
  schedule_info info;
  schedule_factory make;
};

/// In the order of their registration.
std::vector<registered_schedule> registered();

}  // namespace yoke::scheduling
