#pragma once
/// How many floating-point operations each phase of a host step needs at a point. The tests count them, by
/// running the physics with a number type that counts.

#include "common/problem.hpp"

#include <string>
#include <vector>

namespace kernels {

struct phase_needs {
  std::string name;
  double flops = 0;  ///< of a point; additions, multiplications, divisions and roots are one, an fma is two
  double divisions = 0;  ///< and roots among them
  double doubles = 0;    ///< that a point at least moves: fields in and out, once each
};

/// The phases of a step in the order in which they run.
std::vector<phase_needs> needs_of(npb::benchmark_kind kind);

}  // namespace kernels
