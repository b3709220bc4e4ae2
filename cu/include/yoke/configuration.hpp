// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The configuration NxM+G: N CPU CUs of M CPUs each and G GPU CUs.

#include <string>

#include <yoke/settings.hpp>

namespace yoke {

/// How many compute units of which size, without saying which CPUs and devices: places and a device list do.
/// The CPUs that it takes are N * M and one for each GPU CU, which emulated devices may share.
struct configuration {
  int cpu_units = 0;      ///< N
  int cpus_per_unit = 0;  ///< M; 0 when N is 0
  int gpu_units = 0;      ///< G

  int units() const { return cpu_units + gpu_units; }
  std::string text() const;  ///< "7x2+2", "16x1", "+1"
  friend bool operator==(const configuration&, const configuration&) = default;
};

/// NxM | NxM+G | +G with N, M, G >= 1. NxM+GxK with K > 1 is reserved and refused with that message. Of
/// several of them, "1x2+1,15x1", that of this_rank().
/// Errors: config_error naming the value, its origin, the position and the grammar.
configuration parse_configuration(const sourced& text);
/// That of one of several ranks. "1x2+1,15x1" has one for each, in order, and again from the first where
/// there are some times as many ranks. Errors: as above, for all of them; config_error for another number of
/// ranks.
configuration parse_configuration(const sourced& text, int rank, int size);

}  // namespace yoke
