#pragma once
/// How fast the CPU CUs and each GPU are alone: what a hybrid run is compared with.

#include "march.hpp"
#include "solo_result.hpp"

namespace npb {

/// A few steps with all zones on the CPU CUs, then on each device; a device whose memory is too small is
/// left out, with a note. The zones must have been set up; restart() must follow.
solo_result measure_solo(march& zones, int iterations);

}  // namespace npb
