// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How calls find in, out and inout.

#include <yoke/cpp20.hpp>

namespace yoke::roles {

/// Base of what loops use: the functions of this namespace are found by such an argument, so that no
/// using-directive takes their short names from a program.
struct takes_roles {};

}  // namespace yoke::roles
