#pragma once
/// How `auto` hears of CPU CUs that have had no task yet.

#include "../maps/forecast.hpp"
#include "alternatives.hpp"

#include <optional>
#include <span>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// A map to hear of them with, and what its passes and the way there and back take beside what the GPUs take.
struct hearing {
  alternative what;
  seconds costs = 0;
};

/// The present map of GPUs with the first tasks for the CPU CUs, one or more for each, where none of these
/// has told anything and the tasks may be little more than launches: then GPUs say nothing of how long a CPU
/// takes. One task would tell more of what it exchanges with a GPU: by one block of 6000 points beside an
/// H200 CPUs would take 1.5 ms for 40, and they take 0.07. A pass takes `now`. nullopt elsewhere.
std::optional<hearing> to_hear_cpus(const alternative& present, seconds now, const forecast& model,
                                    const workload& work, std::span<const unit> units);

}  // namespace yoke::scheduling
