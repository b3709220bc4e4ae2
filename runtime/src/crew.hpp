#pragma once
/// Which CUs of a loop have tasks in the passes to come.

#include <vector>

#include <yoke/compute_units.hpp>
#include <yoke/schedule.hpp>

namespace yoke::detail {

/// Asks the schedule no more often than its map may change, or is to hold for longer than was said: to write
/// a map down takes as long as it has tasks.
class crew {
 public:
  crew(const schedule& plan, const compute_units& units)
      : plan_{plan}, units_{units}, everybody_(static_cast<std::size_t>(units.size()), true) {}

  /// Of passes `first` to `end` - 1; everybody where that is not known. One call at a time. Errors:
  /// usage_error for a map with a CU that does not exist.
  const std::vector<bool>& of(pass_id first, pass_id end);

 private:
  std::vector<bool> with_tasks(const pass_plan& plan) const;

  const schedule& plan_;
  const compute_units& units_;
  std::vector<bool> everybody_, known_;
  pass_id known_until_ = 0;
};

}  // namespace yoke::detail
