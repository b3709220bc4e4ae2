// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What an exception says.

#include <exception>
#include <string>

namespace yoke::detail {

/// Of one that is none of the standard's: that.
std::string text_of(const std::exception_ptr& error);

}  // namespace yoke::detail
