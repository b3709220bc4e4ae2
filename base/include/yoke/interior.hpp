// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a role says that reads nothing beside its own elements.

#include <yoke/cpp20.hpp>

namespace yoke {

/// Nothing beside own elements is read: no exchange.
struct interior_only {};
/// in(x, yoke::interior).
inline constexpr interior_only interior{};

}  // namespace yoke
