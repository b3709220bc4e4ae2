#pragma once
/// What CPU CUs beside GPUs need further than their batches tell.

#include "alternatives.hpp"
#include "forecast.hpp"

#include <optional>
#include <span>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// They lose time between batches: faces are copied, and wait for those of others. Where they bind the pass,
/// its length tells how much; then they get fewer tasks.
class late_cpus {
 public:
  /// As batches told, and what was learnt besides.
  std::optional<unit_speeds> slowed(std::optional<unit_speeds> told, std::span<const unit> units) const;
  /// Passes with this map take `now`, of which the busiest CPU CU works for `cpus`, the busiest GPU CU for
  /// `gpus`; by a model of slowed speeds. Whether that says something new: then the model is to be made anew.
  bool learn(const alternative& present, pass_time now, seconds cpus, seconds gpus, const forecast& model);

 private:
  double times_ = 1;
};

}  // namespace yoke::scheduling
