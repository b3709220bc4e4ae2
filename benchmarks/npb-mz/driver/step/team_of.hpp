#pragma once
/// What a team of CPUs makes of a zone.

#include "common/problem.hpp"

#include <yoke/team_plan.hpp>

namespace npb {

/// Of zones whose weights are their interior points. Fitted to single zones of 500 to 200 000 points on 1 to
/// 16 CPUs of a Xeon of 2023: 16 are 2.4 to 8 times as fast as one (BT), 1 to 6 times (SP, LU).
yoke::scheduling::team_model team_of(benchmark_kind kind);

}  // namespace npb
