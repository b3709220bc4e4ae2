#pragma once
/// Tables that kernels read zones from.

#include "stepping.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace npb {

/// What device memory is divided into.
constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// `zones`, placed in `space`, with their parts of `work`, one after the other.
std::vector<device_zone> zone_table(const stepping& s, std::span<const yoke::task_id> zones,
                                    yoke::space_id space, std::byte* work,
                                    std::span<const std::size_t> work_bytes);

}  // namespace npb
