#pragma once
/// What schedules have in common whose tasks a map_plan hands out.

#include "../maps/moderate.hpp"
#include "map_plan.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// A schedule calls `follow` in its constructor, with the arguments of map_plan that come before and after
/// the workload and the units.
class map_schedule : public schedule {
 public:
  std::span<const task_id> next(unit_id unit, pass_id pass) final { return plan_->next(unit, pass); }
  void done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) final {
    plan_->done(unit, pass, batch, time);
  }
  void prepare(pass_id pass) final { plan_->prepare(pass); }
  pass_plan plan_of(pass_id pass) const final { return plan_->plan_of(pass); }

 protected:
  map_schedule(const workload& work, std::span<const unit> units)
      : work_{moderate(work)}, units_{units.begin(), units.end()} {}
  template <class... Rest>
  void follow(assignment shares, Rest&&... rest) {
    plan_.emplace(std::move(shares), work_, units_, std::forward<Rest>(rest)...);
  }

  const workload& work() const { return work_; }
  std::span<const unit> units() const { return units_; }
  /// As those of map_plan.
  const assignment& shares() const { return plan_->shares(); }

 private:
  workload work_;
  std::vector<unit> units_;
  std::optional<map_plan> plan_;
};

}  // namespace yoke::scheduling
