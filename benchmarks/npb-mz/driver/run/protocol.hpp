#pragma once
/// The run protocol of SPEC.md §12.

#include "options.hpp"
#include "result.hpp"

#include <yoke/clock.hpp>
#include <yoke/runtime.hpp>

namespace npb {

/// Set-up, warm-up, timed steps and verification, in a program that runs since `program_begin`. Errors: as
/// march.
run_result run_protocol(yoke::runtime& rt, const benchmark& what, const options& asked,
                        yoke::ticks program_begin);

}  // namespace npb
