#pragma once
/// A machine from runs of NPB-MZ on the real one.

#include "machine_file.hpp"

#include <string>
#include <vector>

namespace tools {

/// Runs of one benchmark and class, with other numbers of CPU CUs: how CPUs slow each other down is known for
/// the numbers that were run. Of a GPU it is known what a step costs beyond its tasks, and what it exchanges.
/// Errors: config_error naming the file and what it lacks, or what of the machine is no time or no rate.
machine_file calibrate(const std::vector<std::string>& runs);

}  // namespace tools
