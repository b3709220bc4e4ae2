#pragma once
/// A cut that is safe while nothing is measured: the GPUs full, and a task for each CPU that may do one in
/// time.

#include "assignment.hpp"

#include <span>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Bytes a second that a GPU reads for each of its processors: an H200 has 132 and 4 TB/s.
inline constexpr double bandwidth_of_processor = 3e10;

/// How many tasks the CPU CUs share in the first pass.
int first_pool(const workload& work, std::span<const unit> units);

/// Whether one GPU CU is thought to do all of it sooner than several that wait for each other's results: by
/// the bytes of the tasks, where they are known.
bool is_little_for_gpus(const workload& work, std::span<const unit> units);

/// What all GPU CUs have goes to the first of them.
void leave_to_one_gpu(assignment& shares, std::span<const unit> units);

/// Whether one task takes a CPU CU so much longer than the GPUs are thought to need for all of them that none
/// should be tried.
bool is_hopeless_for_cpus(const workload& work, std::span<const unit> units);

}  // namespace yoke::scheduling
