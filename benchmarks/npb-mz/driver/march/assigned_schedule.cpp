#include "assigned_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace npb {

assigned_schedule::assigned_schedule(std::vector<yoke::unit_id> map, int n_units)
    : map_{std::move(map)}, shares_(static_cast<std::size_t>(n_units)) {
  for (std::size_t task = 0; task < map_.size(); ++task)
    shares_[static_cast<std::size_t>(map_[task])].tasks.emplace_back(static_cast<int>(task));
}

std::span<const yoke::task_id> assigned_schedule::next(yoke::unit_id unit, yoke::pass_id pass) {
  share& mine = shares_[static_cast<std::size_t>(unit)];
  if (pass < mine.next_pass) return {};
  mine.next_pass = pass + 1;
  return mine.tasks;
}

std::vector<yoke::unit_id> spread(std::span<const double> weights, std::span<const yoke::unit_id> units) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<yoke::unit_id> map;
  double before = 0;
  for (const double weight : weights) {
    // The unit in whose share the middle of the task lies.
    const double at = (before + weight / 2) / total * static_cast<double>(units.size());
    map.push_back(units[std::min(static_cast<std::size_t>(at), units.size() - 1)]);
    before += weight;
  }
  return map;
}

}  // namespace npb
