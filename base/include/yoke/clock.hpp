// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The clock of tasks: the time-stamp counter where it is invariant (11 ns a reading on a virtual machine,
/// where steady_clock takes 30), steady_clock elsewhere.

#include <cstdint>

#include <yoke/ids.hpp>

namespace yoke {

/// Readings of this clock; only differences within a process mean anything. elapsed turns them into seconds.
using ticks = std::int64_t;

/// Cost: 11 ns, 30 without such a counter.
ticks now() noexcept;
/// Length of one tick; measured once, at first use.
seconds tick_length() noexcept;
inline seconds elapsed(ticks from, ticks to) noexcept {
  return static_cast<seconds>(to - from) * tick_length();
}

}  // namespace yoke
