#pragma once
/// Forcing, initial state and norms of zones that live on a device, where they are: the host's functions for
/// one point, and its bits.

#include "constants.hpp"
#include "problem.hpp"
#include "solver.hpp"

namespace npb {

/// All of these are asynchronous.
void launch_forcing(const zones_on_device& zones, benchmark_kind kind, const constants& c);
/// u everywhere; 0 into the residual, where there is one.
void launch_initial_state(const zones_on_device& zones, benchmark_kind kind, const constants& c);
/// The row sums of xcr, and those of all norms, into the work memory of each zone, as norm_rows says.
void launch_xcr_rows(const zones_on_device& zones, benchmark_kind kind, const constants& c);
void launch_norm_rows(const zones_on_device& zones, benchmark_kind kind, const constants& c);

}  // namespace npb
