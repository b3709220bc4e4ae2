#pragma once

#include <memory>
#include <span>
#include <vector>

#include <yoke/device_list.hpp>
#include <yoke/gpu.hpp>

namespace yoke::gpu {

/// As backend::split.
std::vector<std::unique_ptr<device>> split_device(device& whole, std::span<const device_request> requests);

}  // namespace yoke::gpu
