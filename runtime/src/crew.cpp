#include "crew.hpp"

#include <algorithm>

namespace yoke::detail {

const std::vector<bool>& crew::of(pass_id first, pass_id end) {
  everybody_.resize(static_cast<std::size_t>(units_.size()), true);
  if (first >= known_until_) {
    const pass_plan plan = plan_.plan_of(first);
    known_until_ = plan.until;
    if (!plan.is_open()) known_ = plan.map.empty() ? everybody_ : with_tasks(plan);
  }
  return end <= known_until_ ? known_ : everybody_;
}

std::vector<bool> crew::with_tasks(const pass_plan& plan) const {
  std::vector<bool> has(everybody_.size(), false);
  bool some_cpu_has = false;
  for (const unit_id unit : plan.map) {
    has[static_cast<std::size_t>(int{unit})] = true;
    some_cpu_has = some_cpu_has || units_.all()[static_cast<std::size_t>(int{unit})].dev == nullptr;
  }
  for (const compute_unit& unit : units_.all())
    if (plan.cpus_share && some_cpu_has && unit.dev == nullptr)
      has[static_cast<std::size_t>(int{unit.id})] = true;
  return has;
}

}  // namespace yoke::detail
