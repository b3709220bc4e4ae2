#include "../dealing/pool_batches.hpp"

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

/// Of one batch, positions [from, from + size) of `longest_first`, on a unit of `cpus`.
double batch_time(std::span<const double> longest_first, std::size_t from, std::size_t size, int cpus,
                  const team_model& team) {
  if (cpus == 1 && size == 1) return longest_first[from];
  std::vector<task_id> batch;
  for (std::size_t at = from; at < from + size; ++at) batch.emplace_back(static_cast<int>(at));
  const double waiting = size > 1 ? std::pow(side_by_side, std::log2(cpus)) : 1;
  return plan_team(batch, longest_first, cpus, team).time / waiting;
}

double pass_of(std::span<const double> longest_first, int units, int cpus_each, const team_model& team) {
  const std::vector<int> sizes = pool_batches(longest_first, units, cpus_each);
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

}  // namespace

unit_sizes sized(std::span<const double> weights, int cpus, int cpus_each, const team_model& team) {
  std::vector<double> tasks{weights.begin(), weights.end()};
  std::ranges::sort(tasks, std::greater<>{});
  const double all = std::accumulate(tasks.begin(), tasks.end(), 0.0);
  const int units = cpus / cpus_each;
  return {.units = units,
          .cpus_each = cpus_each,
          .pass = all > 0 ? pass_of(tasks, units, cpus_each, team) / all : 0};
}

unit_sizes best_sizes(std::span<const double> weights, int cpus, const team_model& team) {
  std::vector<unit_sizes> all;
  for (int each = 1; each <= cpus; ++each) {
    const int units = cpus / each;
    const bool is_largest = cpus / units == each;  // others leave CPUs idle that it would use
    if (is_largest) all.push_back(sized(weights, cpus, each, team));
  }
  const double best = std::ranges::min_element(all, {}, &unit_sizes::pass)->pass;
  return *std::ranges::find_if(all,
                               [&](const unit_sizes& one) { return worth_larger_units * one.pass <= best; });
}

}  // namespace yoke::scheduling
