#pragma once
/// BT among the methods that step in two phases.

#include "../common/two_phase.hpp"
#include "bt_kernels.hpp"

namespace npb::bt {

/// A Method of two_phase_benchmark.hpp.
struct method {
  static constexpr benchmark_kind kind = benchmark_kind::bt;
  static const step_functions step_of_4;
  static const step_functions step_of_8;
  static std::unique_ptr<device_solver> make_device_solver(const constants& c) {
    return bt::make_device_solver(c);
  }
};

}  // namespace npb::bt
