#pragma once
/// How long a pass takes under a map, by the speeds of the units.

#include "assignment.hpp"
#include "task_orders.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// That a batch of a CPU CU is far later than usual, as where others use the CPU, and by how much the latest
/// of a pass then is.
struct lateness {
  double chance_of_batch = 0;
  seconds by = 0;
};

/// Of every unit, and how much batches of a kind vary.
struct unit_speeds {
  std::vector<speed> usual;
  double cpu_spread = 0;  ///< relative deviation of a batch's time
  double gpu_spread = 0;
  double cpu_error = 0;  ///< relative standard error of all CPU CUs together
  double gpu_error = 0;  ///< and of the least certain GPU CU
  lateness late{};       ///< of what is no outlier, spreads tell
};

/// The same zone of SP-MZ class D on the same of 15 busy CPUs beside an H200 took 3.3 to 4.2 ms in different
/// runs, which no run shows by itself.
inline constexpr double least_spread_of_cpus = 0.15;

/// The pass that is expected with noise: whoever is late is waited for.
class forecast {
 public:
  /// Keeps references to the first two. `orders`: of this work, where they are at hand.
  forecast(const workload& work, std::span<const unit> units, unit_speeds speeds,
           std::shared_ptr<const task_orders> orders = nullptr);

  seconds of(const assignment& shares, cpu_tasks cpus) const;
  /// The same, but CPU CUs vary by least_spread_of_cpus at least.
  seconds insured(const assignment& shares, cpu_tasks cpus) const;
  /// Slack that is worth so much is left to CPU CUs whatever was measured; less where they may be late.
  double worth_of_slack(const assignment& shares) const;
  /// The same with all of the noise: what the clock is to say.
  seconds noisy(const assignment& shares, cpu_tasks cpus) const;
  /// Weight a second of all units of this kind, without launches.
  double rate(unit_kind kind) const;
  /// Until the GPUs are through; 0 where they have no tasks.
  seconds of_gpus(const assignment& shares) const;
  const unit_speeds& told() const { return speeds_; }
  const std::vector<speed>& speeds() const { return speeds_.usual; }
  const task_orders& orders() const { return *orders_; }

 private:
  struct finish {
    seconds usual = 0;
    seconds deviation = 0;
  };

  seconds with(const assignment& shares, cpu_tasks cpus, double spread) const;
  double chance_of_late(const assignment& shares) const;
  finish of_cpus(const assignment& shares, cpu_tasks cpus, double spread) const;
  finish of_own(const assignment& shares, double spread) const;
  finish of_pool(const assignment& shares, std::vector<task_id> pool, double spread) const;
  /// By what part of a pass CPU CUs may be late, and nobody waits: of the GPUs' work, what exchanges nothing
  /// with them.
  double may_be_late(const assignment& shares) const;
  /// When the last CPU CU finishes where nothing varies: whoever is free takes the next, the longest first.
  seconds of_list(std::span<const task_id> pool, bool beside_gpus) const;

  const workload& work_;
  std::span<const unit> units_;
  unit_speeds speeds_;
  std::vector<std::size_t> cpus_;
  std::shared_ptr<const task_orders> orders_;
};

}  // namespace yoke::scheduling
