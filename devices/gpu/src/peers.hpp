#pragma once

#include <vector>

namespace yoke::gpu {

/// Lets `ordinal` and the devices in `others` reach each other's memory directly, where the hardware can;
/// copies between them are staged by the driver otherwise.
void enable_peer_access(int ordinal, const std::vector<int>& others);

}  // namespace yoke::gpu
