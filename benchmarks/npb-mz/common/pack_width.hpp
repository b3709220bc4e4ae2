#pragma once
/// Which packs a host solver computes with; the bits of the result are the same.

namespace npb {

enum class pack_width { widest, four, eight };

/// True where the CPU has AVX-512 (x86-64-v4).
bool has_packs_of_eight();

/// Whether packs of eight are to be used.
/// Errors: yoke::config_error when they are asked for and the CPU has no AVX-512.
bool use_packs_of_eight(pack_width width);

}  // namespace npb
