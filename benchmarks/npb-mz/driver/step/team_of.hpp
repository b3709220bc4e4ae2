#pragma once
/// What a team of CPUs makes of a zone.

#include "common/problem.hpp"

#include <yoke/team_plan.hpp>

namespace npb {

/// Of zones whose weights are their interior points. Fitted to single zones of 500 to 200 000 points on 1 to
/// 16 CPUs of a Xeon of 2023: 16 are 2.4 to 8 times as fast as one (BT), 1 to 6 times (SP, LU).
/// Of what a team does half goes by planes, of which zones of small classes have fewer than some CUs have
/// CPUs: BT-MZ class A takes a tenth longer on five CUs of six CPUs than on six of five.
yoke::scheduling::team_model team_of(const problem& what);

}  // namespace npb
