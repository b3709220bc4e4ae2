#pragma once
/// What both ways through a run say of it.

#include "options.hpp"
#include "result.hpp"

#include <yoke/clock.hpp>

namespace npb {

/// The problem, the units and what they were asked for.
void describe(run_result& r, const yoke::runtime& rt, const problem& p, const options& asked);
/// "direct", "host", "frozen"
const char* text_of(peer_faces ways);

struct moments {
  yoke::ticks begin, start, stop;
};
/// Of the steps from `first` on.
void add_times(run_result& r, const problem& p, const moments& at, int first = 0);
/// From the norms, which are there.
void add_verdict(run_result& r, const problem& p, const options& asked);

}  // namespace npb
