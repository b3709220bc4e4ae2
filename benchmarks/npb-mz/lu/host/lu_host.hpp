#pragma once
/// LU on CPUs.

#include "../../common/pack_width.hpp"
#include "../../common/solver.hpp"

#include <memory>

namespace npb::lu {

/// Errors: yoke::config_error when packs of eight are asked for and the CPU has no AVX-512.
std::unique_ptr<phased_solver> make_host_solver(const constants& c, int n_threads, const zone_shape& largest,
                                                pack_width width = pack_width::widest);
/// Bytes of its arrays, with the widest packs.
std::size_t host_scratch_bytes(int n_threads, const zone_shape& largest);

}  // namespace npb::lu
