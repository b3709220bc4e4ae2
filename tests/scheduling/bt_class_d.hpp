#pragma once
/// BT-MZ class D beside a GPU in virtual time, where passes overlap, as in NPB-MZ: the clock tells a whole
/// stretch, and each look at the map costs a part of a pass, which makes short stretches look slow.

#include "driver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include <yoke/learner.hpp>

namespace driver {

/// What makes passes longer than a model of batches tells.
struct troubles {
  double lost = 1;  ///< what CPU CUs take for a pass in terms of their batches: they lose time between these
  double noise = 0.03;    ///< of their batches
  double delays = 0;      ///< of the GPU's, which become longer only
  double layout = 0;      ///< so many steps longer take four passes after a change
  pass_id lost_from = 0;  ///< until this pass CPU CUs lose nothing
  /// Others use the CPUs: a slice of time is so many steps. CPU CUs' batches wait for one with this chance,
  /// and the GPU's with the next one where CPU CUs have tasks.
  double slice = 0, chance = 0.15, chance_of_gpu = 0.5;
  pass_id slice_until = pass_plan::for_good;
  /// A CPU is away for so many steps in a batch of this pass.
  pass_id away_in = 0;
  double away = 0;
  pass_id most_before = 9;  ///< that warm up
};

/// BT-MZ class D, 250 steps after one that is cold, on 15 CPUs beside an H200 that is 300 times as fast as
/// one.
class bt_class_d {
 public:
  static constexpr int cpus = 15, steps = 246;
  static constexpr seconds step = 27e-3;  ///< of the GPU alone

  explicit bt_class_d(unsigned seed, const troubles& has = {}) : rng_{seed}, has_{has} {
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 32; ++x) work_.weights.push_back(std::pow(4.47, (x + y) / 31.0));
    all_ = std::accumulate(work_.weights.begin(), work_.weights.end(), 0.0);
    for (const double weight : work_.weights)
      work_.bytes.push_back(static_cast<std::size_t>(weight / all_ * 13e9));
    units_ = driver::make_units(cpus, 1);
    units_.back().processors = 132;
    for (int u = 0; u < cpus; ++u) slower_.push_back(driver::real(rng_, 0.97, 1.03));
  }

  /// Seconds of the steps after those that warm up, all looks and changes of the map included. What comes
  /// before time counts is in fours: as many as the schedule wants, up to `most_before`, and twice where the
  /// map is new.
  seconds run(const char* schedule) {
    const auto plan = scheduling::make(schedule, work_, units_);
    learner* const of = plan->learning();
    plan->prepare(0);
    for (int u = 0; u < cpus; ++u)
      of->rehearsed(unit_id{u}, work_.weights[static_cast<std::size_t>(u)], of_cpu(u, u, 0));
    seconds timed = 0;
    pass_id warm_up = 1, passes = 1 + steps;
    for (pass_id pass = 0; pass < passes;) {
      plan->prepare(pass);
      pass_plan next = plan->plan_of(pass);
      if (pass == warm_up) {
        const bool wants = of->wants_warm_up() || (pass == 1 && next.until <= pass + 4);
        if ((pass <= 5 && next.map != map_) || (pass < has_.most_before && (next.map != map_ || wants))) {
          warm_up += 4;
          passes += 4;
        } else {
          of->time_counts();
          next = plan->plan_of(pass);
        }
      }
      const bool is_new = pass > 0 && next.map != std::exchange(map_, next.map);
      const pass_id left = (pass < warm_up ? warm_up : passes) - pass,
                    n = pass == 0 || is_new ? 1 : std::clamp<pass_id>(next.until - pass, 1, left);
      seconds time = uses_cpus() ? 0.5 * step : 0.1 * step;
      if (is_new) changed_ = pass;
      for (pass_id p = pass; p < pass + n; ++p)
        time += run_pass(*plan, p) + (p < changed_ + 4 ? has_.layout * step : 0);
      of->ran(pass, n, time + (is_new ? step : 0));
      if (pass >= warm_up) timed += time + (is_new ? 2 * step + 0.02 : 0);
      pass += n;
    }
    return timed;
  }

  /// Of the GPU alone, with its delays.
  seconds alone() const { return steps * step * (1 + 0.8 * has_.delays); }

 private:
  bool uses_cpus() const {
    return std::ranges::any_of(map_, [](unit_id u) { return int{u} < cpus; });
  }
  seconds of_cpu(int unit, int task, pass_id pass) {
    const double weight = work_.weights[static_cast<std::size_t>(task)];
    return weight / all_ * step * 300 * slower_[static_cast<std::size_t>(unit)] *
               std::lognormal_distribution{0.0, has_.noise}(rng_) +
           slice(pass < has_.slice_until ? has_.chance : 0);
  }
  seconds slice(double chance) {
    return has_.slice > 0 && driver::real(rng_, 0, 1) < chance ? has_.slice * step : 0;
  }
  /// Passes overlap: what CPUs are late is made up for in part.
  seconds run_pass(schedule& plan, pass_id pass) {
    const double cold = pass == 0 ? 1.2 : 1;
    seconds gpu = 0;
    for (auto batch = plan.next(unit_id{cpus}, pass); !batch.empty();
         batch = plan.next(unit_id{cpus}, pass)) {
      double weight = 0;
      for (const task_id task : batch) weight += work_.weights[static_cast<std::size_t>(int{task})];
      const double delay = has_.delays * std::abs(std::normal_distribution{}(rng_));
      const seconds time = cold * step * (0.005 + 0.995 * weight / all_ + delay) + (uses_cpus() ? 1e-4 : 0);
      plan.done(unit_id{cpus}, pass, batch, time);
      gpu += time;
    }
    const seconds late = (pass < has_.lost_from ? 1 : has_.lost) * run_cpus(plan, pass, cold);
    return std::max(gpu, (late + std::min(late, gpu)) / 2);
  }
  seconds run_cpus(schedule& plan, pass_id pass, double cold) {
    using free_at = std::pair<seconds, int>;
    std::priority_queue<free_at, std::vector<free_at>, std::greater<>> free;
    for (int u = 0; u < cpus; ++u) free.emplace(0, u);
    seconds end = 0;
    while (!free.empty()) {
      const auto [now, u] = free.top();
      free.pop();
      const auto batch = plan.next(unit_id{u}, pass);
      if (batch.empty()) continue;
      const bool is_away = has_.away > 0 && u == 0 && pass == has_.away_in && now == 0;
      const seconds time = cold * of_cpu(u, batch.front(), pass) + (is_away ? has_.away * step : 0);
      plan.done(unit_id{u}, pass, batch, time);
      end = std::max(end, now + time);
      free.emplace(now + time, u);
    }
    return end;
  }

  generator rng_;
  troubles has_;
  pass_id changed_ = 0;
  workload work_{.n_tasks = 1024, .passes = steps, .warms_up = true};
  double all_ = 0;
  std::vector<unit> units_;
  std::vector<double> slower_;
  std::vector<unit_id> map_;
};

/// Rates over that of the GPU alone of ten machines.
struct rates {
  double least = std::numeric_limits<double>::infinity(), mean = 0;
};
inline rates rates_beside_gpu(const char* schedule, const troubles& has) {
  constexpr int machines = 10;
  rates of;
  for (unsigned seed = 0; seed < machines; ++seed) {
    bt_class_d machine{seed, has};
    const double rate = machine.alone() / machine.run(schedule);
    of.mean += rate / machines;
    of.least = std::min(of.least, rate);
  }
  return of;
}

}  // namespace driver
