// Tasks that the simulator runs in a second of real time.
#include <benchmark/benchmark.h>

#include <yoke/scheduling.hpp>
#include <yoke/simulated_machine.hpp>

namespace {

constexpr int n_tasks = 1 << 16, passes = 4;

yoke::simulated_machine of_cpus(int units) {
  yoke::simulated_machine on;
  for (int u = 0; u < units; ++u) on.units.push_back({.alone = {0, 1e-6 * (1 + u)}});
  return on;
}

/// Each task is an event of its own.
void simulated_tasks(benchmark::State& state, const char* schedule) {
  const yoke::simulated_machine on = of_cpus(static_cast<int>(state.range(0)));
  const std::vector<yoke::unit> units = on.seen();
  const yoke::workload work{.n_tasks = n_tasks};
  for (auto _ : state) {
    const auto plan = yoke::scheduling::make(schedule, work, units);
    benchmark::DoNotOptimize(yoke::simulate(*plan, work, on, {.passes = passes}));
  }
  state.SetItemsProcessed(state.iterations() * n_tasks * passes);
}

}  // namespace

BENCHMARK_CAPTURE(simulated_tasks, static, "static")->ArgName("units")->Arg(2)->Arg(16)->Arg(64);
BENCHMARK_CAPTURE(simulated_tasks, dynamic, "dynamic")->ArgName("units")->Arg(2)->Arg(16)->Arg(64);
