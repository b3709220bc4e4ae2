// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How a thread computes with floating point.

#include <cfenv>
#include <cstdint>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// Rounding, what is flushed to zero, and what traps; not the flags of what has happened. Threads of compute
/// units take over the one of the thread that calls, so that all units of a loop give the same bits.
class fp_environment {
 public:
  static fp_environment of_this_thread() noexcept;
  /// From here on this thread computes so. A few nanoseconds where it does so already.
  void take() const noexcept;

 private:
#if defined(__x86_64__)
  std::uint32_t vectors_ = 0;  ///< MXCSR
  std::uint16_t x87_ = 0;
#else
  std::fenv_t all_{};
#endif
};

}  // namespace yoke::detail
