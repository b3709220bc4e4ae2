#include "zone_map.hpp"

#include <algorithm>
#include <cstddef>

#include <yoke/scheduling.hpp>
#include <yoke/simulator.hpp>

namespace yoke::detail {

namespace {

/// Schedules that learn have settled by then.
constexpr int passes_to_settle = 24;

}  // namespace

std::vector<seconds> guessed_times(std::span<const unit> units) {
  std::vector<seconds> times;
  for (const unit& each : units)
    times.push_back(1e-6 / (each.kind == unit_kind::cpu ? each.cpus : 3 * each.processors));
  return times;
}

std::vector<unit_id> map_of(schedule& plan, const workload& work, std::span<const seconds> times) {
  std::vector<speed> speeds;
  for (const seconds each : times) speeds.push_back({.launch = 0, .per_weight = each});
  const auto passes = simulate(plan, work, static_cast<int>(times.size()),
                               linear_time(work, std::move(speeds)), passes_to_settle);
  return passes.back().map;
}

std::vector<int> ranks_of_zones(const workload& work, std::span<const seconds> times) {
  const std::vector<unit> as_units(times.size());
  const std::unique_ptr<schedule> plan = scheduling::make("partition", work, as_units, "ranks");
  std::vector<int> all;
  for (const unit_id each : map_of(*plan, work, times)) all.push_back(each);
  return all;
}

seconds longest_of(std::span<const unit_id> map, std::span<const double> weights,
                   std::span<const seconds> times) {
  std::vector<seconds> all(times.size());
  for (std::size_t zone = 0; zone < map.size(); ++zone) {
    if (map[zone] < 0) continue;  // on another rank
    const auto unit = static_cast<std::size_t>(int{map[zone]});
    all[unit] += weights[zone] * times[unit];
  }
  return *std::ranges::max_element(all);
}

std::vector<seconds> with_measured(std::span<const seconds> guessed, std::span<const seconds> measured) {
  double ratio = 0;
  int n = 0;
  for (std::size_t unit = 0; unit < measured.size(); ++unit)
    if (measured[unit] > 0) {
      ratio += measured[unit] / guessed[unit];
      ++n;
    }
  std::vector<seconds> all;
  for (std::size_t unit = 0; unit < measured.size(); ++unit)
    all.push_back(measured[unit] > 0 ? measured[unit] : n == 0 ? guessed[unit] : guessed[unit] * ratio / n);
  return all;
}

}  // namespace yoke::detail
