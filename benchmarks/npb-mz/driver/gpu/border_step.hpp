#pragma once
/// A step of the zones at the border of a GPU CU that is under way.

#include "batch_plan.hpp"
#include "side_stream.hpp"

namespace npb {

struct border_step {
  explicit border_step(yoke::device& dev) : receiving{dev}, sending{dev}, leaving{dev}, waiting{dev} {}

  moment at;  ///< the step; of none where none is under way
  const batch_plan* plan = nullptr;
  stream_watch receiving, sending, leaving;  ///< faces unpacked, packed, on their way out
  stream_watch waiting;                      ///< for faces of other devices
};

}  // namespace npb
