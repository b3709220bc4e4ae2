#pragma once
/// SP, one time step of one zone, as SPEC.md §9 numbers its phases. NPB's x_solve ends with ninvr, its
/// y_solve with pinvr and its z_solve with tzetar; here each has a call of its own.

#include "adi.hpp"

namespace npb::reference::sp {

/// §9.2
void txinvr(const adi_zone& z);
/// §9.3
void x_solve(const adi_zone& z);
/// §9.4
void ninvr(const adi_zone& z);
/// §9.5
void y_solve(const adi_zone& z);
/// §9.6
void pinvr(const adi_zone& z);
/// §9.7
void z_solve(const adi_zone& z);
/// §9.8
void tzetar(const adi_zone& z);

/// The step: all phases, 9.1 to 9.9.
void adi(const adi_zone& z);

}  // namespace npb::reference::sp
