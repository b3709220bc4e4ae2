#include "solo.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>

namespace npb {

namespace {

constexpr int warm_up_steps = 3;  // the second captures what later ones replay
constexpr int fewest_steps = 4;
constexpr int most_steps = 40;

/// Every CPU CU takes zones as it gets to them: the best that they can do without knowing their speeds.
constexpr const char* all_for_cpus = "pool,pcf=1e-200";

/// Steps per second under `loop`.
double rate_of(march& zones, yoke::task_loop loop, int steps) {
  zones.restart(warm_up_steps + steps);
  zones.run(loop, warm_up_steps);
  const yoke::ticks start = yoke::now();
  zones.run(loop, steps);
  return steps / yoke::elapsed(start, yoke::now());
}

std::vector<yoke::unit_id> units_in(march& zones, yoke::space_id space) {
  std::vector<yoke::unit_id> units;
  for (const yoke::compute_unit& unit : zones.runtime().units().all())
    if (unit.space == space) units.push_back(unit.id);
  return units;
}

}  // namespace

double solo_result::gpu_rate() const { return std::accumulate(gpu_rates.begin(), gpu_rates.end(), 0.0); }

solo_result measure_solo(march& zones, int iterations) {
  const int steps = std::clamp(iterations / 10, fewest_steps, most_steps);
  solo_result solo;
  const yoke::workload work = zones.work();
  if (!units_in(zones, yoke::host_space).empty())
    solo.cpu_rate = rate_of(zones, zones.runtime().make_loop(all_for_cpus, work), steps);
  const auto devices = zones.runtime().devices();
  for (std::size_t d = 0; d < devices.size(); ++d) {
    solo.gpu_rates.push_back(0);
    const std::vector<yoke::unit_id> gpus = units_in(zones, yoke::space_id{static_cast<int>(d) + 1});
    if (gpus.empty()) continue;
    try {
      solo.gpu_rates.back() = rate_of(zones, zones.assigned(spread(work.weights, gpus)), steps);
    } catch (const yoke::out_of_memory& failure) {
      solo.notes.push_back(
          fmt::format("{} was not measured alone: {}", devices[d]->info().name, failure.what()));
    }
  }
  return solo;
}

}  // namespace npb
