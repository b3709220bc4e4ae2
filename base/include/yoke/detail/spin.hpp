// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// For who waits for less than it takes to sleep and be woken.

#include <mutex>
#include <thread>

#include <yoke/clock.hpp>

namespace yoke::detail {

/// Leaves the CPU, and the line of cache that is looked at, to others for a moment.
inline void pause_for(int times) {
  for (int i = 0; i < times; ++i)
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

/// As long as it takes to wake a thread: who sleeps at once pays that for each piece of a chain.
inline constexpr seconds spins_for = 30e-6;

/// Whether it came to be so meanwhile. Others on this CPU go first: who makes it so may be one; but to let
/// them costs more than what is very near.
template <class IsSo>
bool spin_until(const IsSo& is_so) {
  constexpr int looks_before_yield = 20;
  for (int i = 0; i < looks_before_yield; pause_for(4), ++i)
    if (is_so()) return true;
  for (const ticks from = now(); elapsed(from, now()) < spins_for; std::this_thread::yield())
    if (is_so()) return true;
  return false;
}

/// Of a lock that is held for short: tries for a while before it sleeps.
inline void lock_soon(std::unique_lock<std::mutex>& of) {
  constexpr int tries = 50;
  for (int i = 0; i < tries; pause_for(10), ++i)
    if (of.try_lock()) return;
  of.lock();
}

}  // namespace yoke::detail
