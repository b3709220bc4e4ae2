#pragma once
/// What tasks wait for from pass to pass.

#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Of each task those of the pass before that it needs: itself and those that exchange with it, once each.
std::vector<std::vector<task_id>> needs_of(const workload& work);

}  // namespace yoke::scheduling
