// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What work does with what it uses.

#include <yoke/cpp20.hpp>

namespace yoke::versions {

/// A write makes a new version, whether it reads the last one in its place or not.
enum class usage { read, write };

}  // namespace yoke::versions
