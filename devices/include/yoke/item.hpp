// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What tells an item of a kernel which one it is.

#include <cstdint>

#include <yoke/cpp20.hpp>

namespace yoke {

/// The item a kernel is called for: 0 <= x < extent.x, 0 <= y < extent.y.
struct item {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

/// The same of a kernel that is launched by launch_3d: 0 <= z < extent_3d.z too.
struct item_3d {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;
};

}  // namespace yoke
