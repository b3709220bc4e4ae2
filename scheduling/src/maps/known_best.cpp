#include "assignment.hpp"
#include "exchanges.hpp"
#include "finish.hpp"
#include "longest_first.hpp"
#include "machine_limits.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <yoke/simulated_machine.hpp>

namespace yoke {

namespace {

/// The first `active[g]` units of each group.
std::vector<std::size_t> chosen(const simulated_machine& machine, const std::vector<int>& active) {
  std::vector<int> left = active;
  std::vector<std::size_t> units;
  for (std::size_t u = 0; u < machine.units.size(); ++u)
    if (left[static_cast<std::size_t>(machine.units[u].group)]-- > 0) units.push_back(u);
  return units;
}

std::vector<int> sizes_of(const simulated_machine& machine) {
  std::vector<int> sizes;
  for (const simulated_unit& each : machine.units) {
    sizes.resize(std::max(sizes.size(), static_cast<std::size_t>(each.group) + 1));
    ++sizes[static_cast<std::size_t>(each.group)];
  }
  return sizes;
}

/// Sizes of a group that may pay: all, none, and where its curve bends.
std::vector<int> candidates(const simulated_machine& machine, int group, int size) {
  std::vector<int> counts{0, size};
  if (static_cast<std::size_t>(group) < machine.slowdowns.size())
    for (const auto& [units, factor] : machine.slowdowns[static_cast<std::size_t>(group)])
      if (units > 0 && units < size) counts.push_back(units);
  return counts;
}

std::vector<std::vector<int>> choices(const simulated_machine& machine) {
  const std::vector<int> sizes = sizes_of(machine);
  std::vector<std::vector<int>> all{{}};
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& start : all)
      for (const int count : candidates(machine, static_cast<int>(g), sizes[g])) {
        longer.push_back(start);
        longer.back().push_back(count);
      }
    all = std::move(longer);
  }
  return all;
}

struct subset {
  std::vector<unit> units;
  std::vector<speed> speeds;
};

subset subset_of(const simulated_machine& machine, const std::vector<int>& active) {
  const std::vector<speed> speeds = machine.speeds(active);
  subset some;
  for (const std::size_t u : chosen(machine, active)) {
    some.units.push_back(machine.units[u].seen);
    some.speeds.push_back(speeds[u]);
  }
  return some;
}

bool has_all(const scheduling::assignment& shares, int n_tasks) {
  std::size_t tasks = 0;
  for (const auto& share : shares) tasks += share.size();
  return tasks == static_cast<std::size_t>(n_tasks);
}

seconds found_on(const subset& on, const workload& work) {
  scheduling::assignment shares = scheduling::plan_longest_first(work, on.units, on.speeds).shares;
  if (!has_all(shares, work.n_tasks)) return std::numeric_limits<seconds>::infinity();
  scheduling::exchange_tasks(shares, work, on.units, on.speeds);
  return scheduling::makespan_of(shares, work, on.units, on.speeds);
}

seconds bound_on(const subset& on, double all, double largest) {
  double rate = 0, fastest = 0;
  for (const speed& each : on.speeds) {
    rate += 1 / each.per_weight;
    fastest = std::max(fastest, 1 / each.per_weight);
  }
  return std::max(all / rate, largest / fastest);
}

}  // namespace

known_best best_of(const simulated_machine& machine, const workload& work) {
  scheduling::check_machine(machine, work);
  if (work.n_tasks == 0) return {};
  const double all = scheduling::usual_weight(work) * work.n_tasks;
  const double largest = work.weights.empty() ? 1 : std::ranges::max(work.weights);
  known_best best{.found = std::numeric_limits<seconds>::infinity(),
                  .bound = std::numeric_limits<seconds>::infinity()};
  for (const std::vector<int>& active : choices(machine)) {
    const subset on = subset_of(machine, active);
    if (on.units.empty()) continue;
    best.found = std::min(best.found, found_on(on, work));
    best.bound = std::min(best.bound, bound_on(on, all, largest));
  }
  return best;
}

}  // namespace yoke
