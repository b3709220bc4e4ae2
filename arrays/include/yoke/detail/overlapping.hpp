#pragma once
/// Loops that run while halos travel, for tests.

#include <cstdint>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// From how many elements of a GPU's part on they do; returns what held before.
std::int64_t set_least_overlapped(std::int64_t elements);
/// How many did in this process.
std::int64_t overlapped_loops();

}  // namespace yoke::detail
