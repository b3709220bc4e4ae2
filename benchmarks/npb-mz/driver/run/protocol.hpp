#pragma once
/// The run protocol of SPEC.md §12.

#include "options.hpp"
#include "result.hpp"

#include <yoke/runtime.hpp>

namespace npb {

/// Set-up, warm-up, timed steps and verification. Errors: as march.
run_result run_protocol(yoke::runtime& rt, const benchmark& what, const options& asked);

}  // namespace npb
