#pragma once
/// BT, one time step of one zone, SPEC.md §10.

#include "adi.hpp"

namespace npb::reference::bt {

/// §10.2: block-tridiagonal systems along x, along y, along z.
void x_solve(const adi_zone& z);
void y_solve(const adi_zone& z);
void z_solve(const adi_zone& z);

/// The step: compute_rhs, the three solves, add.
void adi(const adi_zone& z);

}  // namespace npb::reference::bt
