#pragma once
/// SP among the methods that step in two phases.

#include "../common/two_phase.hpp"
#include "sp_kernels.hpp"

namespace npb::sp {

/// A Method of two_phase_benchmark.hpp.
struct method {
  static constexpr benchmark_kind kind = benchmark_kind::sp;
  static const step_functions step_of_4;
  static const step_functions step_of_8;
  static std::unique_ptr<device_solver> make_device_solver(const constants& c) {
    return sp::make_device_solver(c);
  }
};

}  // namespace npb::sp
