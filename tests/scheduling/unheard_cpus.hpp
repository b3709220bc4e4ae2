#pragma once
/// CPU CUs of which nobody has heard beside a GPU: what their processors promise may be far too little.

#include "maps_seen.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <yoke/simulator.hpp>

namespace driver {

inline constexpr seconds of_launch = 6.5e-6;

/// Jacobi's method in 40 blocks beside an H200 and 15 CPUs: each block is a kernel, which takes a launch
/// however small it is.
struct blocks {
  std::size_t bytes = 0;  ///< 0: the program does not say
  pass_id passes = 200;
  seconds of_gpu = of_launch;
  seconds of_cpu = 5e-6;

  static constexpr int n = 40;

  struct end {
    outcome seen;
    std::string text;
    double part = 0;  ///< of what the GPU alone takes
    bool is_on(unit_kind kind) const { return uses(seen.map, units(), kind); }
  };

  static std::vector<unit> units() { return machine(15, 1, 132); }

  end run(const char* schedule = "auto") const {
    workload work{.n_tasks = n};
    if (bytes > 0) work.bytes.assign(n, bytes);
    const auto plan = scheduling::make(schedule, work, units());
    const batch_time usual = linear_time(work, speeds_of(units(), {0, of_cpu}, {0, of_gpu}));
    std::vector<std::vector<seconds>> busy(static_cast<std::size_t>(passes), std::vector<seconds>(16));
    end found;
    found.seen = driver::run(
        *plan, work, 16,
        [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
          const seconds time = usual(unit, pass, batch);
          busy[static_cast<std::size_t>(pass)][static_cast<std::size_t>(int{unit})] += time;
          return time;
        },
        static_cast<int>(passes));
    for (const auto& of_pass : busy) found.part += std::ranges::max(of_pass);
    found.part /= static_cast<double>(passes) * n * of_gpu;
    found.text = plan->describe();
    return found;
  }
};

}  // namespace driver
