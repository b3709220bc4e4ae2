#pragma once
/// SP on CPUs.

#include "../common/solver.hpp"

#include <memory>

namespace npb::sp {

/// Lanes of the packs to compute with: the bits of the result are the same.
enum class pack_width { widest, four, eight };
/// True where the CPU has AVX-512 (x86-64-v4).
bool has_packs_of_eight();

/// Errors: yoke::config_error when packs of eight are asked for and the CPU has no AVX-512.
std::unique_ptr<host_solver> make_host_solver(const constants& c, int n_threads, const zone_shape& largest,
                                              pack_width width = pack_width::widest);

}  // namespace npb::sp
