// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// For who waits for less than it takes to sleep and be woken.

#include <chrono>
#include <mutex>
#include <sys/prctl.h>
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

/// Whether it came to be so within that time. Leaves the CPU to nobody: who waits has it alone, as a rule.
template <class IsSo>
bool look_for(seconds time, const IsSo& is_so) {
  for (const ticks from = now(); !is_so(); pause_for(4))
    if (elapsed(from, now()) > time) return false;
  return true;
}

/// Sleeps of this thread end when they are to, not 50 microseconds later.
inline void sleep_exactly() {
  static thread_local const int once = prctl(PR_SET_TIMERSLACK, 1);
  static_cast<void>(once);
}

/// Who waits longer than what is on its way takes leaves the CPU, which may be the only one of the process,
/// to others, and looks from time to time.
template <class IsSo>
void nap_until(const IsSo& is_so) {
  constexpr std::chrono::microseconds between_looks{20};
  for (sleep_exactly(); !is_so();) std::this_thread::sleep_for(between_looks);
}

/// Of a lock that is held for short: tries for a while before it sleeps, at first often, for a pause is a
/// hundred cycles on some CPUs, and most who hold it are through in a few hundred.
inline void lock_soon(std::unique_lock<std::mutex>& of) {
  constexpr int quick_tries = 16, tries = 64;
  for (int i = 0; i < tries; pause_for(i < quick_tries ? 1 : 10), ++i)
    if (of.try_lock()) return;
  of.lock();
}

}  // namespace yoke::detail
