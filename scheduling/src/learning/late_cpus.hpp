#pragma once
/// What CPU CUs beside GPUs need further than their batches tell.

#include "../maps/forecast.hpp"
#include "alternatives.hpp"
#include "map_search.hpp"

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
  /// From passes with this map, by a model of slowed speeds. Whether they say something new: then the model
  /// is to be made anew.
  bool learn(const alternative& present, const measured_pass& now, const forecast& model);

 private:
  double times_ = 1;
};

}  // namespace yoke::scheduling
