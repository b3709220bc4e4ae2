// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Processes forked from one that uses Yoke. Threads do not survive a fork, nor do OpenMP's places, streams
/// or the contexts of GPUs, while a child shares the memory of emulated devices with its parent. Such a child
/// may end, or start another program; whatever else it asks of Yoke is refused.

#include <atomic>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// Set in a child after watch_forks. Every look-up reads it.
extern std::atomic<bool> forked_child;  // NOLINT(*-non-const-global-variables)
[[noreturn]] void throw_in_forked_child();

/// From now on a child that this process forks is one; the first call counts.
void watch_forks();
inline bool is_forked_child() noexcept { return forked_child.load(std::memory_order_relaxed); }
/// Errors: usage_error in a forked child.
inline void refuse_in_forked_child() {
  if (is_forked_child()) [[unlikely]]
    throw_in_forked_child();
}
/// What only the parent can end. Kept for leak checkers, for the rest of the child's life.
void abandon(const void* object) noexcept;

}  // namespace yoke::detail
