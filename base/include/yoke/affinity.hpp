// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The CPUs on which the process and its threads may run.

#include <span>
#include <vector>

#include <yoke/cpp20.hpp>

namespace yoke {

/// The allowed mask of this process as it was when the program was loaded, before any runtime bound a thread.
std::vector<int> allowed_cpus_at_start();
/// Leaves this process some of these, as a launcher would have: the calling thread runs on them, and
/// allowed_cpus_at_start() and topology know no others. First in main, before threads, runtimes or libomp.
/// Errors: usage_error for no CPU, and for one that is not allowed.
void keep_to_cpus(std::vector<int> cpus);
/// Lets the calling thread run on all CPUs of allowed_cpus_at_start(), for threads made inside a bound one.
void unbind_this_thread();
/// Lets the calling thread run on these CPUs alone; false where the system refuses all of them.
bool bind_this_thread(std::span<const int> cpus) noexcept;
/// Whether the calling thread may run on these CPUs and no others. Cost: a system call.
bool is_bound_to(std::span<const int> cpus) noexcept;
/// Whether the calling thread is on one of these CPUs at this moment. Cost: some nanoseconds.
bool is_on(std::span<const int> cpus) noexcept;
/// CPUs the calling thread may run on now, ascending.
std::vector<int> affinity_of_this_thread();

}  // namespace yoke
