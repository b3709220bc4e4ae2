#pragma once
/// The maps that a schedule has had while it was run in virtual time.

#include "driver.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <yoke/simulator.hpp>

namespace driver {

/// CPU CUs first, then GPU CUs that tell of `processors`.
inline std::vector<unit> machine(int cpus, int gpus, int processors = 1) {
  std::vector<unit> units = driver::make_units(cpus, gpus);
  for (unit& u : units)
    if (u.kind == unit_kind::gpu) u.processors = processors;
  return units;
}

/// By what is told before each pass.
struct outcome {
  std::vector<std::vector<unit_id>> maps;  ///< of every pass
  std::vector<unit_id> map;                ///< of the last
  int changes = 0;
};

inline outcome run(schedule& plan, const workload& work, int n_units, const batch_time& time, int passes) {
  outcome seen;
  std::vector<std::vector<unit_id>> maps;
  simulate(
      plan, work, n_units,
      [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
        if (static_cast<std::size_t>(pass) >= maps.size()) maps.push_back(plan.plan_of(pass).map);
        return time(unit, pass, batch);
      },
      passes);
  for (std::size_t p = 1; p < maps.size(); ++p) seen.changes += maps[p] != maps[p - 1] ? 1 : 0;
  seen.map = maps.back();
  seen.maps = std::move(maps);
  return seen;
}

inline bool uses(const std::vector<unit_id>& map, std::span<const unit> units, unit_kind kind) {
  return std::ranges::any_of(map,
                             [&](unit_id u) { return units[static_cast<std::size_t>(int{u})].kind == kind; });
}

}  // namespace driver
