#pragma once
/// What passes took.

#include <optional>
#include <utility>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// What a pass was seen to take, with its relative standard error.
struct pass_time {
  seconds usual = 0;
  double error = 0;
};

/// The passes since the newest look, as far as they were timed.
struct measured_pass {
  pass_time all;
  seconds cpus = 0, gpus = 0;  ///< of the busiest CU of each kind
};

/// Passes that were timed, a few of them together at times. Most noise only delays, so the median counts.
class pass_times {
 public:
  /// `overlap`: passes that follow one another overlap by up to so much of one. Those of a run of a few do
  /// not with those before it, so that they look slower than those of a long run; nobody knows by how much.
  /// `around`: what it may take besides to begin and end them.
  void add(seconds time, pass_id passes, double overlap = 0, seconds around = 0);
  void clear() {
    each_.clear();
    unsure_ = 0;
  }
  /// `spread`: the relative deviation of one that is expected, which counts as much as a few times.
  std::optional<pass_time> get(double spread) const;

 private:
  std::vector<std::pair<seconds, pass_id>> each_;  ///< seconds of a pass, and of how many it is the mean
  double unsure_ = 0;                              ///< passes that may be missing or too many
};

}  // namespace yoke::scheduling
