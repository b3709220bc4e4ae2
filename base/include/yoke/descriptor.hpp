// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Files that stay clear of the standard streams.

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// The open file under a number above 2, closed on exec; `descriptor` itself is closed where its number was
/// one of 0 to 2. A program started with a standard stream closed gives that number to the first file that is
/// opened, and what is printed then lands there. -1 with errno where `descriptor` is -1 or numbers run out.
[[nodiscard]] int above_standard_streams(int descriptor) noexcept;

}  // namespace yoke::detail
