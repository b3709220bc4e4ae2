#include "../maps/assignment.hpp"
#include "simulation.hpp"

#include <utility>

#include <yoke/simulator.hpp>

namespace yoke {

batch_time linear_time(const workload& work, std::vector<speed> speeds) {
  return [work, speeds = std::move(speeds)](unit_id unit, pass_id, std::span<const task_id> batch) {
    const speed& own = speeds[scheduling::index(unit)];
    return own.launch + own.per_weight * yoke::weight_of(work, batch);
  };
}

std::vector<simulated_pass> simulate(schedule& plan, const workload& work, int n_units,
                                     const batch_time& time, int passes, pass_order order) {
  const scheduling::simulation_rules rules{.time = time, .is_away = {}, .watcher = {}};
  return scheduling::simulation{plan, work, n_units, rules}.run(passes, order);
}

}  // namespace yoke
