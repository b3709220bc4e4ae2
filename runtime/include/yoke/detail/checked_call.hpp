// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels whose indices are checked while CPUs run them.

#include <yoke/kernel_call.hpp>

namespace yoke::detail {

/// A call that checks the indices of views, and says in errors of use whose kernel that was.
class checked_call {
 public:
  /// `launcher`: what stands before the kernel's name, "for_each".
  checked_call(const kernel_call& of, const char* launcher) noexcept : of_{of}, launcher_{launcher} {}
  /// As the one given, for CPU CUs alone. Requires: this lives until it has run.
  kernel_call call() const noexcept;
  checked_call(const checked_call&) = delete;
  checked_call& operator=(const checked_call&) = delete;

 private:
  static void run(const void* self, const item_range& items);

  kernel_call of_;
  const char* launcher_;
};

}  // namespace yoke::detail
