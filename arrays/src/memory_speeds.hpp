#pragma once
/// How fast units go through their memory.

#include "context.hpp"

#include <vector>

#include <yoke/performance.hpp>

namespace yoke::detail {

/// Time of each unit against bytes that it copies within its memory, with all units at work: a loop over
/// arrays does little else. Takes some tenths of a second.
std::vector<scheduling::performance_function> measure_memory(array_context& context);

}  // namespace yoke::detail
