#pragma once
/// The phases of SP's host step, for each instruction set.

#include "../common/two_phase.hpp"

namespace npb::sp {

/// Of packs of 4 (AVX2 and fma, which all host code needs) and of 8 (AVX-512, where the CPU has it).
extern const step_functions step_of_4;
extern const step_functions step_of_8;

inline constexpr scratch_needs scratch_of_a_point{
    .plane_values = 1, .tile_values = 8, .line_packs = 14, .state_values = 7};

}  // namespace npb::sp
