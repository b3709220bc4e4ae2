#pragma once
/// Nodes with GPUs that are much faster than CPU CUs, in virtual time.

#include "driver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <yoke/simulator.hpp>

namespace driver {

/// An H200 has 132 processors; a launch takes 25 us.
inline constexpr seconds launch = 25e-6;

inline std::vector<unit> beside_h200s(int cpus, int gpus) {
  std::vector<unit> units = make_units(cpus, gpus);
  for (unit& u : units)
    if (u.kind == unit_kind::gpu) u.processors = 132;
  return units;
}

/// One zone of `work` takes a CPU CU `cpu` on average, a GPU all of them `gpu`; CPU CUs vary by 10%.
struct scenario {
  workload work;
  std::vector<unit> units;
  seconds cpu, gpu;

  double all() const {
    return work.weights.empty() ? work.n_tasks
                                : std::accumulate(work.weights.begin(), work.weights.end(), 0.0);
  }
  seconds one_gpu() const { return launch + gpu; }
  /// Mean pass of `passes` from the first on.
  seconds mean_pass(const char* schedule, int passes) const {
    generator rng{5};
    const speed of_cpu{0, cpu * work.n_tasks / all()}, of_gpu{launch, gpu / all()};
    const batch_time usual = linear_time(work, speeds_of(units, of_cpu, of_gpu));
    const auto plan = scheduling::make(schedule, work, units);
    const auto seen = simulate(
        *plan, work, static_cast<int>(units.size()),
        [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
          const bool is_cpu = units[static_cast<std::size_t>(int{unit})].kind == unit_kind::cpu;
          const double factor = is_cpu ? std::normal_distribution{1.0, 0.1}(rng) : 1;
          return usual(unit, pass, batch) * std::max(factor, 0.5);
        },
        passes);
    return (seen.back().end - seen.front().begin) / passes;
  }
};

/// Widths of zones in a direction grow geometrically, the largest zone is 20 times the smallest (BT-MZ).
inline workload uneven_zones(int side) {
  workload work{.n_tasks = side * side};
  const double step = std::pow(20.0, 0.5 / (side - 1));
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) work.weights.push_back(std::pow(step, x + y));
  return work;
}

/// Class D of SP-MZ: a CPU takes 4 ms for one of 1024 zones, the GPU 9.45 ms for all.
inline scenario sp_d(int cpus, int gpus) {
  return {{.n_tasks = 1024}, beside_h200s(cpus, gpus), 4e-3, 9.45e-3};
}
inline scenario sp_c(int cpus, int gpus) {
  return {{.n_tasks = 256}, beside_h200s(cpus, gpus), 1e-3, 0.65e-3};
}
inline scenario bt_d(int cpus, int gpus) { return {uneven_zones(32), beside_h200s(cpus, gpus), 9e-3, 27e-3}; }
/// Few large zones: one takes a CPU far longer than all take the GPU.
inline scenario lu_d(int cpus, int gpus) { return {{.n_tasks = 16}, beside_h200s(cpus, gpus), 1.6, 31e-3}; }

/// The settled pass of `schedule` over that of the units together, as if tasks could be cut.
inline double share_of_all(const char* schedule, const workload& work, const std::vector<unit>& units,
                           speed cpu, speed gpu) {
  const std::vector<speed> speeds = speeds_of(units, cpu, gpu);
  const auto plan = scheduling::make(schedule, work, units);
  const auto seen = simulate(*plan, work, static_cast<int>(units.size()), linear_time(work, speeds), 60);
  double all = 0, rate = 0;
  for (int t = 0; t < work.n_tasks; ++t) all += yoke::weight_of(work, task_id{t});
  for (const speed& one : speeds) rate += 1 / one.per_weight;
  return all / rate / seen.back().makespan();
}

/// The mean pass of 200 after one of two GPUs has become three times as slow, in terms of what all units
/// could do together.
inline double rate_of_slowed_gpu(const char* schedule) {
  const std::vector<unit> units = beside_h200s(16, 2);
  const workload work{.n_tasks = 512};
  constexpr int slow_from = 100, passes = 300;
  const auto plan = scheduling::make(schedule, work, units);
  const auto seen = simulate(
      *plan, work, 18,
      [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
        const double factor = int{unit} == 17 && pass >= slow_from ? 3 : 1;
        return static_cast<double>(batch.size()) * (int{unit} < 16 ? 1e-1 : 1e-2 * factor);
      },
      passes);
  const seconds best = 512 / (160 + 100 + 100 / 3.0);
  return best * (passes - slow_from) / (seen.back().end - seen[slow_from].begin);
}

}  // namespace driver
