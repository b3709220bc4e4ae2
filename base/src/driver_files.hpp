#pragma once
/// What drivers of GPUs write below /proc and /sys, which anybody may read without starting one.

#include <filesystem>
#include <vector>

#include <yoke/topology.hpp>

namespace yoke::detail {

/// Those of `all` that the process may use, with the models that drivers tell. A container may see the whole
/// bus and yet have some GPUs only: NVIDIA's driver then lists just these.
std::vector<accelerator_info> told_by_drivers(std::vector<accelerator_info> all,
                                              const std::filesystem::path& root);

}  // namespace yoke::detail
