#pragma once
/// Which GPU CU gets which of the tasks that GPU CUs have.

#include "assignment.hpp"

#include <span>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// The same, or the tasks of the GPU CUs cut into regions with fewer bytes between their memories: where the
/// pass becomes shorter by that, what they exchange counted in, or as long with a tenth fewer bytes. Tasks of
/// CPU CUs stay.
assignment with_gpu_regions(assignment shares, const workload& work, std::span<const unit> units,
                            std::span<const speed> speeds);

}  // namespace yoke::scheduling
