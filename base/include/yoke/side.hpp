// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A side of a part of an array, or of a zone.

#include <yoke/cpp20.hpp>

namespace yoke {

/// What lies below or above in one dimension.
struct side {
  int dimension = 0;
  bool is_high = false;

  static constexpr side low(int dimension) { return {dimension, false}; }
  static constexpr side high(int dimension) { return {dimension, true}; }
  friend bool operator==(const side&, const side&) = default;
};

}  // namespace yoke
