#pragma once
/// CPUs alone that others use too, where tasks wait for their neighbours' faces and passes overlap, as in
/// NPB-MZ: CPUs differ for good, are slow for a while, and batches are late.

#include "driver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <yoke/simulator.hpp>

namespace driver {

/// Logarithmic deviations of a CPU's speed: for good, for some sixty tasks, and of each task; and how many
/// tasks are late, by up to twice `late_by` of their time. The means of 32 CPUs beside two H200s.
struct host {
  double lasting = 0.2, slow_for_a_while = 0.1, noise = 0.2;
  double late = 0.03, late_by = 2;
  /// In these passes half of the CPUs by turns are three times as slow.
  pass_id disturbed_from = 0, disturbed_until = 0;
};
inline constexpr double kept = 0.985;        ///< of a slow time, from task to task
inline constexpr seconds of_looking = 3e-4;  ///< all wait for that
inline constexpr pass_id turn = 5;

/// `side`² zones on a torus, the heaviest so many times as large as the lightest.
class zones_on_cpus {
 public:
  zones_on_cpus(int side, double heaviest, int cpus, pass_id passes, host on, unsigned seed)
      : passes_{passes}, host_{on}, rng_{seed}, units_{make_units(cpus, 0)} {
    work_.n_tasks = side * side;
    work_.passes = passes;
    work_.edges = closed_grid(side, side, 1);
    for (int t = 0; t < work_.n_tasks; ++t)
      work_.weights.push_back(std::pow(heaviest, static_cast<double>(t) / work_.n_tasks));
    const double mean = std::accumulate(work_.weights.begin(), work_.weights.end(), 0.0) / work_.n_tasks;
    for (double& weight : work_.weights) weight *= 8e-4 / mean;
    for (int u = 0; u < cpus; ++u) {
      lasting_.push_back(host_.lasting * normal_(rng_));
      slow_.push_back(host_.slow_for_a_while * normal_(rng_));
    }
  }

  struct outcome {
    seconds time = 0;  ///< of all passes
    bool is_pool = false;
  };
  outcome run(const char* schedule) && {
    const auto plan = scheduling::make(schedule, work_, units_);
    pass_plan known;
    int looks = 0;
    const auto time = [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
      if (pass >= known.until) {
        known = plan->plan_of(pass);
        ++looks;
      }
      seconds all = 0;
      for (const task_id task : batch) all += time_of(static_cast<std::size_t>(int{unit}), task, pass);
      return all;
    };
    const auto seen = simulate(*plan, work_, static_cast<int>(units_.size()), time, static_cast<int>(passes_),
                               pass_order::dataflow);
    const seconds end = std::ranges::max(seen, {}, &simulated_pass::end).end;
    return {end + (plan->learning() != nullptr ? looks * of_looking : 0), known.cpus_share};
  }

 private:
  seconds time_of(std::size_t cpu, task_id task, pass_id pass) {
    double& slow = slow_[cpu];
    slow = kept * slow + host_.slow_for_a_while * std::sqrt(1 - kept * kept) * normal_(rng_);
    const seconds usual = work_.weights[static_cast<std::size_t>(int{task})];
    const seconds taken = usual * std::exp(lasting_[cpu] + slow + host_.noise * normal_(rng_));
    const bool is_disturbed = pass >= host_.disturbed_from && pass < host_.disturbed_until &&
                              (cpu + static_cast<std::size_t>(pass / turn)) % 2 == 0;
    const bool is_late = real(rng_, 0, 1) < host_.late;
    return (is_disturbed ? 3 : 1) * taken + (is_late ? usual * host_.late_by * real(rng_, 0, 2) : 0);
  }

  pass_id passes_;
  host host_;
  generator rng_;
  std::normal_distribution<double> normal_;
  std::vector<unit> units_;
  workload work_;
  std::vector<double> lasting_, slow_;
};

/// How many times as fast as a pool `schedule` is, by the median of five such hosts.
inline double rate_over_pool(const char* schedule, int side, double heaviest, int cpus, const host& on) {
  constexpr pass_id passes = 400;
  std::vector<double> ratios;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const auto time = [&](const char* name) {
      return zones_on_cpus{side, heaviest, cpus, passes, on, seed}.run(name).time;
    };
    const seconds pool = time("pool");
    ratios.push_back(pool / time(schedule));
  }
  std::ranges::sort(ratios);
  return ratios[ratios.size() / 2];
}

}  // namespace driver
