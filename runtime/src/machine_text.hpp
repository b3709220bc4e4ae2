#pragma once
/// The machine and the program, in words that change where speeds may.

#include "gpu_units.hpp"
#include "profile_book.hpp"

#include <span>

namespace yoke::detail {

/// CPUs, GPUs, drivers and what emulated devices were told; the program and its build; the configuration.
profile_key common_key(const configuration& shape, std::span<device* const> devices,
                       const device_options& options);

}  // namespace yoke::detail
