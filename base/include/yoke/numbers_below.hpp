// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Ranges of numbers in messages.

#include <string>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// What there is of things that are numbered from 0: "no task", "task 0 alone", "the tasks 0 to 9".
inline std::string numbers_below(int n, const std::string& one) {
  if (n <= 0) return "no " + one;
  return n == 1 ? one + " 0 alone" : "the " + one + "s 0 to " + std::to_string(n - 1);
}

}  // namespace yoke::detail
