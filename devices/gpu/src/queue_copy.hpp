#pragma once

#include <yoke/box_copy.hpp>
#include <yoke/gpu.hpp>

namespace yoke::gpu {

/// Hands a copy to the vendor. Requires: a box that detail::require_box accepts and that is not empty.
error queue_copy(const box_copy& what, stream on);

}  // namespace yoke::gpu
