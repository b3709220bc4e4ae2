#pragma once

#include <cstddef>
#include <span>

namespace yoke::detail {

/// The CPU mask of the calling thread as the kernel had it while the program was being relocated, so before a
/// constructor of any library could bind it: OpenMP runtimes do. Empty on processors where it is not known
/// how to ask so early.
std::span<const unsigned long> mask_at_load();

}  // namespace yoke::detail
