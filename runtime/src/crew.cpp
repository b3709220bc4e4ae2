#include "crew.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/numbers_below.hpp>

namespace yoke::detail {

namespace {

std::size_t index_of(unit_id unit) { return static_cast<std::size_t>(int{unit}); }

}  // namespace

const std::vector<bool>& crew::of(pass_id first, pass_id end) {
  if (end > known_until_) {
    const pass_plan plan = plan_.plan_of(first);
    if (!plan.is_open()) known_ = plan.map.empty() ? everybody_ : with_tasks(plan);
    known_until_ = plan.until;
  }
  return end <= known_until_ ? known_ : everybody_;
}

std::vector<bool> crew::with_tasks(const pass_plan& plan) const {
  std::vector<bool> has(everybody_.size(), false);
  for (std::size_t task = 0; task < plan.map.size(); ++task) {
    const unit_id unit = plan.map[task];
    if (unit < 0 || unit >= units_.size())
      throw usage_error{fmt::format(
          "run: the schedule's map has task {} on CU {}; the configuration {} has {} ({})", task, int{unit},
          units_.shape().text(), numbers_below(units_.size(), "CU"), plan_.describe())};
    has[index_of(unit)] = true;
  }
  const auto is_cpu = [](const compute_unit& unit) { return unit.dev == nullptr; };
  const auto is_cpu_with_tasks = [&](const compute_unit& unit) {
    return is_cpu(unit) && has[index_of(unit.id)];
  };
  if (plan.cpus_share && std::ranges::any_of(units_.all(), is_cpu_with_tasks))
    for (const compute_unit& unit : units_.all())
      if (is_cpu(unit)) has[index_of(unit.id)] = true;
  return has;
}

}  // namespace yoke::detail
