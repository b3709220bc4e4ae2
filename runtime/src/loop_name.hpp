#pragma once
/// What messages call a loop over tasks.

#include <fmt/format.h>
#include <string>

#include <yoke/schedule.hpp>

namespace yoke::detail {

/// "the loop 'SP-MZ C'", "the loop of 64 tasks" where it has no name.
inline std::string called(const workload& work) {
  return work.name.empty() ? fmt::format("the loop of {} tasks", work.n_tasks)
                           : fmt::format("the loop '{}'", work.name);
}

}  // namespace yoke::detail
