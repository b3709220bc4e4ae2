#pragma once
/// A kernel that a kernel file and a C++ file both launch.

#include <yoke/kernel.hpp>

namespace gpu_tests {

struct shared_kernel {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> to) const { to[at.x] = 1; }
};

inline yoke::device_ptr<double> nowhere() { return {}; }

/// The call as the kernel file makes it.
const void* gpu_entry_in_kernel_file();
/// Threads of the parallel region that the kernel file opens when asked for two.
int threads_in_kernel_file();

}  // namespace gpu_tests
