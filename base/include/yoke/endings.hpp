// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Threads on which destructors would wait for themselves.

#include <yoke/forks.hpp>

namespace yoke::detail {

/// Set on a thread that runs the kernels of an emulated device. A kernel that calls exit() runs the
/// destructors of statics there, and they would wait for that kernel.
extern constinit thread_local bool is_thread_of_device;  // NOLINT(*-non-const-global-variables)

/// Whether destructors are to leave everything as it is: threads, streams and memory of devices.
inline bool leaves_all() noexcept { return is_forked_child() || is_thread_of_device; }

}  // namespace yoke::detail
