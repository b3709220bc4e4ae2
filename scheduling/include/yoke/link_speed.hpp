// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How long copies between two memories take.

#include <cstddef>

#include <yoke/ids.hpp>

namespace yoke {

/// Of a copy of n bytes: latency + n / bandwidth; bandwidth 0: it takes no time.
struct link_speed {
  double bandwidth = 0;  ///< bytes a second
  seconds latency = 0;

  seconds time_of(std::size_t bytes) const {
    return bandwidth > 0 && bytes > 0 ? latency + static_cast<double>(bytes) / bandwidth : 0;
  }
};

}  // namespace yoke
