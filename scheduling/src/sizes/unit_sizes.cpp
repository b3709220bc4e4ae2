#include "../dealing/pool_batches.hpp"
#include "../maps/latest.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include <yoke/unit_sizes.hpp>

namespace yoke::scheduling {

namespace {

/// What is left of tasks side by side in one unit at each doubling, for they wait for the last of them: two
/// CPUs in one unit gave 0.96 to 1.04 of two units, sixteen 0.81 to 0.97 (LU-MZ and SP-MZ class A).
constexpr double side_by_side = 0.95;
/// What is certain of a prediction: units of one CPU are left for a gain of a tenth.
constexpr double worth_larger_units = 0.9;

/// Relative deviation of a server's CPUs, others each time: the slowest of 16 to 32 takes 1.1 to 1.5 times
/// the mean in class C of all benchmarks, for they share memory, caches and the chip's power.
constexpr double spread_of_cpus = 0.14;

/// Of one batch, positions [from, from + size) of `longest_first`, on a unit of `cpus`.
double batch_time(std::span<const double> longest_first, std::size_t from, std::size_t size, int cpus,
                  const team_model& team) {
  if (cpus == 1 && size == 1) return longest_first[from];
  std::vector<task_id> batch;
  for (std::size_t at = from; at < from + size; ++at) batch.emplace_back(static_cast<int>(at));
  const double waiting = size > 1 ? std::pow(side_by_side, std::log2(cpus)) : 1;
  return plan_team(batch, longest_first, cpus, team).time / waiting;
}

/// `sizes`: of the batches, see pool_batches.
double pass_of(std::span<const double> longest_first, std::span<const int> sizes, int units, int cpus_each,
               const team_model& team) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (int u = 0; u < units; ++u) free_at.push(0);
  double end = 0;
  for (std::size_t at = 0; at < longest_first.size();) {
    const auto size = static_cast<std::size_t>(sizes[at]);
    const double done = free_at.top() + batch_time(longest_first, at, size, cpus_each, team);
    free_at.pop();
    free_at.push(done);
    end = std::max(end, done);
    at += size;
  }
  return end;
}

/// Only with batches to spare do others do more, in this pass or ahead in the next.
bool wait_for_slowest(std::span<const int> sizes, int units, int cpus_each) {
  int batches = 0;
  for (std::size_t at = 0; at < sizes.size(); at += static_cast<std::size_t>(cpus_each), ++batches)
    if (sizes[at] != cpus_each) return false;
  return batches == units;
}

/// Weights: of the largest of the lightest tasks that are as much work as these CPUs do in a pass beside the
/// GPUs, and of what one CPU does in such a pass.
struct pass_beside {
  double task, pass;
};
pass_beside beside(double cpus_of_gpus, std::span<const double> weights, int cpus) {
  std::vector<double> tasks{weights.begin(), weights.end()};
  std::ranges::sort(tasks);
  const double all = std::accumulate(tasks.begin(), tasks.end(), 0.0), at_once = cpus + cpus_of_gpus;
  double taken = 0;
  const auto last = std::ranges::find_if(tasks, [&](double weight) {
    taken += weight;
    return taken >= all * cpus / at_once;
  });
  return {last == tasks.end() ? tasks.back() : *last, all / at_once};
}

}  // namespace

unit_sizes sized(std::span<const double> weights, int cpus, int cpus_each, const team_model& team) {
  std::vector<double> tasks{weights.begin(), weights.end()};
  std::ranges::sort(tasks, std::greater<>{});
  const double all = std::accumulate(tasks.begin(), tasks.end(), 0.0);
  const int units = cpus / cpus_each;
  const std::vector<int> sizes = pool_batches(tasks, units, cpus_each);
  return {
      .units = units,
      .cpus_each = cpus_each,
      .pass = all > 0 ? pass_of(tasks, sizes, units, cpus_each, team) / all : 0,
      .waiting = wait_for_slowest(sizes, units, cpus_each) ? 1 + spread_of_cpus * excess_of_latest(cpus) : 1};
}

unit_sizes sizes_beside(double cpus_of_gpus, std::span<const double> weights, int cpus,
                        const team_model& team) {
  // A zone of SP-MZ class D takes 0.8 to 1.1 of a pass beside two H200s on one of 30 busy CPUs: that is not
  // in time, nor is there anything left for chance; on two it takes half.
  constexpr double in_good_time = 0.7, most_lost = 1.0 / 3;
  const unit_sizes alone = best_sizes(weights, cpus, team);
  if (!(cpus_of_gpus > 0) || weights.empty() || alone.cpus_each > 1) return alone;
  const auto [task, pass] = beside(cpus_of_gpus, weights, cpus);
  for (int each = 1; each <= cpus; ++each) {
    const double time = team.time_of(task, each);
    if (time * each * (1 - most_lost) > task) break;
    if (time <= in_good_time * pass) return sized(weights, cpus, each, team);
  }
  return alone;
}

unit_sizes best_sizes(std::span<const double> weights, int cpus, const team_model& team) {
  std::vector<unit_sizes> all;
  for (int each = 1; each <= cpus; ++each) {
    const int units = cpus / each;
    const bool is_largest = cpus / units == each;  // others leave CPUs idle that it would use
    if (is_largest) all.push_back(sized(weights, cpus, each, team));
  }
  const double best = std::ranges::min_element(all, {}, &unit_sizes::in_all)->in_all();
  return *std::ranges::find_if(
      all, [&](const unit_sizes& one) { return worth_larger_units * one.in_all() <= best; });
}

worth_of_cpus worth_beside(double cpus_of_gpus, int cpus, seconds work) {
  // BT-MZ class A beside an H200 takes 0.45 s with 15 CPUs and 0.42 s without, and gives them nothing to do.
  constexpr seconds taken = 0.03;
  return {.saved = work / cpus_of_gpus - work / (cpus_of_gpus + cpus), .taken = taken};
}

}  // namespace yoke::scheduling
