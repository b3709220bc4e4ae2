#include "team_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace npb {

namespace {

/// How much of its threads a team on one zone uses, for zones of 16 to 30 points a side.
constexpr double team_efficiency = 0.8;

double weight_of(std::span<const double> weights, yoke::task_id zone) {
  return weights[static_cast<std::size_t>(zone)];
}

std::vector<yoke::task_id> largest_first(std::span<const yoke::task_id> batch,
                                         std::span<const double> weights) {
  std::vector<yoke::task_id> zones{batch.begin(), batch.end()};
  std::ranges::sort(zones, [&](yoke::task_id a, yoke::task_id b) {
    return std::pair{-weight_of(weights, a), a} < std::pair{-weight_of(weights, b), b};
  });
  return zones;
}

struct timed_plan {
  team_plan plan;
  double time = 0;
};

/// The first `n_shared` of `zones` by the team, each of the others to the thread that has least so far.
timed_plan deal(std::span<const yoke::task_id> zones, std::size_t n_shared, std::span<const double> weights,
                int n_threads) {
  const auto threads = static_cast<std::size_t>(n_threads);
  timed_plan made{{std::vector<std::vector<yoke::task_id>>(threads), {}}, 0};
  for (const yoke::task_id zone : zones.first(n_shared)) {
    made.plan.shared.push_back(zone);
    made.time += weight_of(weights, zone) / (n_threads * team_efficiency);
  }
  std::vector<double> load(threads);
  for (const yoke::task_id zone : zones.subspan(n_shared)) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += weight_of(weights, zone);
    made.plan.own[static_cast<std::size_t>(least - load.begin())].push_back(zone);
  }
  made.time += *std::max_element(load.begin(), load.end());
  return made;
}

}  // namespace

team_plan plan_team(std::span<const yoke::task_id> batch, std::span<const double> weights, int n_threads) {
  const std::vector<yoke::task_id> zones = largest_first(batch, weights);
  timed_plan best = deal(zones, 0, weights, n_threads);
  const std::size_t most = std::min(zones.size(), static_cast<std::size_t>(n_threads));
  for (std::size_t n_shared = 1; n_shared <= most; ++n_shared) {
    timed_plan other = deal(zones, n_shared, weights, n_threads);
    if (other.time < best.time) best = std::move(other);
  }
  // Neighbours by number are neighbours in the domain: in that order faces are still in the cache.
  for (std::vector<yoke::task_id>& own : best.plan.own) std::sort(own.begin(), own.end());
  return std::move(best.plan);
}

}  // namespace npb
