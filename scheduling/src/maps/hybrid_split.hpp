#pragma once
/// The cut between CPU CUs and GPU CUs: the first tasks for the former, the others for the latter.

#include "assignment.hpp"

#include <span>

namespace yoke::scheduling {

/// The longest prefix of the tasks whose weight is at most `part` of the whole, for 0 <= part <= 1.
int tasks_within(const workload& work, double part);

/// What of the work the CPU CUs get when a GPU CU gets `pcf` times as much as one of them.
double part_of_cpus(std::span<const unit> units, double pcf);

/// The first `cpu_tasks` to the CPU CUs, the rest to the GPU CUs; consecutive and even inside each kind.
assignment hybrid_split(const workload& work, std::span<const unit> units, int cpu_tasks);

/// Whether there are units of both kinds.
bool is_hybrid(std::span<const unit> units);

}  // namespace yoke::scheduling
