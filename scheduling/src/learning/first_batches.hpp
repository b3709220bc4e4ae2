#pragma once
/// How GPU CUs get their shares in the first passes.

#include "../maps/forecast.hpp"

#include <span>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Into how many batches the rest of a share is cut behind its first task, which tells what a launch takes;
/// 0: the share is not cut. Where batches vary, several tell more of a GPU than one. These launches may take
/// a quarter of the shares' time at most. `passes`: that there were.
int batches_to_learn_from(const assignment& shares, const workload& work, std::span<const unit> units,
                          const unit_speeds& speeds, pass_id passes);

}  // namespace yoke::scheduling
