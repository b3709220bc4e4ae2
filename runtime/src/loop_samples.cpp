#include "loop_samples.hpp"

#include <algorithm>
#include <utility>

namespace yoke::detail {

void loop_samples::set(bool on) {
  on_ = on;
  for (int unit = 0; unit < n_units_; ++unit) units_[static_cast<std::size_t>(unit)].samples.clear();
}

std::vector<task_sample> loop_samples::all() const {
  std::vector<task_sample> all;
  for (int unit = 0; unit < n_units_; ++unit) {
    const std::vector<task_sample>& of = units_[static_cast<std::size_t>(unit)].samples;
    all.insert(all.end(), of.begin(), of.end());
  }
  std::ranges::sort(all, {}, [](const task_sample& s) { return std::pair{int{s.task}, s.pass}; });
  return all;
}

}  // namespace yoke::detail
