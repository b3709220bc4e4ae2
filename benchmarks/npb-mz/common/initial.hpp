#pragma once
/// Initial state and forcing of a zone, SPEC.md §6 and §7. All fields are [5][nz][ny][nx].

#include "constants.hpp"
#include "problem.hpp"

namespace npb {

/// Blend everywhere, then the exact solution on x faces, y faces, z faces, the later one winning.
void sp_bt_initial_state(const constants& c, const zone_shape& shape, double* u);

/// The exact solution on the boundary, the blend inside.
void lu_initial_state(const constants& c, const zone_shape& shape, double* u);

/// - R(exact solution) for SP and BT, + R for LU, at interior points; 0 on the boundary.
void make_forcing(benchmark_kind kind, const constants& c, const zone_shape& shape, double* forcing);

}  // namespace npb
