/// How often `auto` searches for maps: GPUs stand still while it does.

#include "../../scheduling/src/learning/map_search.hpp"

#include "../../scheduling/src/maps/cuts.hpp"
#include "driver.hpp"

using namespace yoke;
using namespace yoke::scheduling;

namespace {

constexpr int cpus = 30, gpus = 2;

/// A pass of the GPUs alone takes some 1 ms.
unit_speeds speeds_with(double cpu_per_weight) {
  std::vector<speed> usual(cpus, {.launch = 0, .per_weight = cpu_per_weight});
  usual.resize(cpus + gpus, {.launch = 1e-5, .per_weight = 5e-6});
  return {.usual = std::move(usual)};
}

}  // namespace

TEST_CASE("maps are searched for twice, and then only where a search is cheap beside the passes since",
          "[auto]") {
  workload work{.n_tasks = 256};
  for (int task = 0; task < work.n_tasks; ++task) work.weights.push_back(1 + task / 128.0);
  const std::vector<unit> units = driver::make_units(cpus, gpus);
  map_search search{work, units};
  const auto ways = [&](pass_id passes, double cpu_per_weight) {
    const forecast model{work, units, speeds_with(cpu_per_weight)};
    const alternative present = make_alternative(cut_at(0, work, units, model.speeds()), units);
    const measured_pass now{.all = {.usual = 1e-3}, .cpus = 0, .gpus = 1e-3};
    return search.ways(present, model, now, passes, alternatives{}, true);
  };
  const auto first = ways(3, 1e-4), second = ways(10, 5e-5);
  CHECK(first != second);
  CHECK(ways(23, 1e-4) == second);
  CHECK(ways(100, 1e-4) == second);
  CHECK(ways(120, 1e-4) == first);
}
