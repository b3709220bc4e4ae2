#pragma once
/// Initial state and forcing of a zone in host memory, SPEC.md §6 and §7. All fields are [5][nz][ny][nx].
/// `n_threads`: of a team that the calling thread opens.

#include "constants.hpp"
#include "problem.hpp"

namespace npb {

/// Inside a blend of the exact solution's faces. On the boundary the exact solution itself: in SP and BT on x
/// faces, y faces, z faces, the later one winning.
void make_initial_state(benchmark_kind kind, const constants& c, const zone_shape& shape, double* u,
                        int n_threads = 1);

/// - R(exact solution) for SP and BT, + R for LU, at interior points; 0 on the boundary.
void make_forcing(benchmark_kind kind, const constants& c, const zone_shape& shape, double* forcing,
                  int n_threads = 1);

}  // namespace npb
