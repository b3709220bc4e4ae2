#pragma once

#include <vector>

#include <yoke/device.hpp>

namespace yoke::gpu {

/// Lets `ordinal` and the devices in `others` reach each other's memory directly, where the hardware can;
/// copies between them are staged by the driver otherwise.
void enable_peer_access(int ordinal, const std::vector<int>& others);

/// What lies between two GPUs; through_host where the hardware gives no access.
link_kind link_between(int from, int to);

}  // namespace yoke::gpu
