#pragma once
/// A run over yoke::zones, in one process or in several.

#include "options.hpp"
#include "result.hpp"

#include <yoke/ranks.hpp>
#include <yoke/runtime.hpp>

namespace npb {

/// Sets up, warms up, runs, verifies; on all ranks the same, with the same norms. `among`: null where there
/// are no others. Errors: those of zoned_march; config_error where ranks were asked for something else.
run_result run_over_zones(yoke::runtime& rt, yoke::ranks* among, const benchmark& what, const options& asked);

}  // namespace npb
