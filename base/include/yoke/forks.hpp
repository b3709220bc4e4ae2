#pragma once
/// Processes forked from one that uses Yoke. Threads do not survive a fork, nor do OpenMP's places, streams
/// or the contexts of GPUs, while a child shares the memory of emulated devices with its parent. Such a child
/// may end, or start another program; whatever else it asks of Yoke is refused.

#include <atomic>

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
/// Set on a thread that runs the kernels of an emulated device. A kernel that calls exit() runs the
/// destructors of statics there, and they would wait for that kernel.
extern constinit thread_local bool is_thread_of_device;  // NOLINT(*-non-const-global-variables)
/// Whether destructors are to leave everything as it is: threads, streams and memory of devices.
inline bool leaves_all() noexcept { return is_forked_child() || is_thread_of_device; }
/// What only the parent can end. Kept for leak checkers, for the rest of the child's life.
void abandon(const void* object) noexcept;

}  // namespace yoke::detail
