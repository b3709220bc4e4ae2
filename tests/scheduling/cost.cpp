#include "counts.hpp"

#include <algorithm>
#include <cmath>

#include <yoke/simulator.hpp>

using namespace driver;

namespace {

seconds best_makespan(const workload& work, const std::vector<speed>& speeds, std::size_t task,
                      std::vector<seconds>& load) {
  if (task == static_cast<std::size_t>(work.n_tasks)) return *std::max_element(load.begin(), load.end());
  seconds best = HUGE_VAL;
  for (std::size_t u = 0; u < load.size(); ++u) {
    const seconds before = load[u];
    load[u] += speeds[u].per_weight * work.weights[task];
    best = std::min(best, best_makespan(work, speeds, task + 1, load));
    load[u] = before;
  }
  return best;
}

}  // namespace

TEST_CASE("cost is within the bound of longest-first of the best integer makespan", "[cost][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 100; ++round) {
    const std::vector<unit> units = make_units(between(rng, 1, 2), 1);
    workload work{.n_tasks = between(rng, 3, 8)};
    for (int t = 0; t < work.n_tasks; ++t) work.weights.push_back(real(rng, 1, 10));
    const std::vector<speed> speeds = speeds_of(units, {0, 1.0}, {0, 1 / real(rng, 1, 6)});
    const auto plan = scheduling::make("cost", work, units);
    const int n_units = static_cast<int>(units.size());
    const auto passes = simulate(*plan, work, n_units, linear_time(work, speeds), 6);
    REQUIRE(settled_from(*plan) == 5);
    std::vector<seconds> load(units.size());
    const double ratio = passes[5].makespan() / best_makespan(work, speeds, 0, load);
    CAPTURE(round, work.n_tasks, plan->describe());
    REQUIRE(ratio <= 2.0 * n_units / (n_units + 1) + 1e-9);  // Gonzalez, Ibarra and Sahni, 1977
  }
}

TEST_CASE("cost counts the launch of a GPU CU once and weighs it against the tasks", "[cost]") {
  const std::vector<unit> units = make_units(1, 1);
  const workload work{.n_tasks = 12};
  const auto plan = scheduling::make("cost", work, units);
  (void)simulate(*plan, work, 2, linear_time(work, {{0, 1.0}, {6.0, 0.5}}), 6);
  CHECK(count(settled_map(*plan), units) == counts{.cpu = 8, .gpu = 4});
}

TEST_CASE("cost tells CPU CUs of different speed apart", "[cost]") {
  const std::vector<unit> units = make_units(2, 0);
  const workload work{.n_tasks = 8};
  const auto plan = scheduling::make("cost", work, units);
  const auto passes = simulate(*plan, work, 2, linear_time(work, {{0, 1.0}, {0, 3.0}}), 6);
  CHECK(passes[5].makespan() == Approx(6));
}

namespace {

/// Mean makespan of a map when the time of each CPU CU varies by 15% (a normal distribution).
seconds mean_makespan(const std::vector<unit_id>& map, const std::vector<unit>& units,
                      const std::vector<speed>& speeds, generator& rng) {
  std::vector<seconds> load(units.size());
  for (const unit_id u : map)
    load[static_cast<std::size_t>(u)] += speeds[static_cast<std::size_t>(u)].per_weight;
  std::normal_distribution<double> factor{1, 0.15};
  constexpr int passes = 2000;
  seconds sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
    seconds latest = 0;
    for (std::size_t u = 0; u < units.size(); ++u)
      latest = std::max(latest, load[u] * (units[u].kind == unit_kind::cpu ? factor(rng) : 1));
    sum += latest;
  }
  return sum / passes;
}

}  // namespace

TEST_CASE("cost leaves CPU CUs slack where a task more is small change for the GPU", "[cost]") {
  const std::vector<unit> units = make_units(15, 1);
  const workload work{.n_tasks = 1024};
  const speed gpu{0, 9.5e-6};
  const auto map_for = [&](seconds cpu_task) {
    const auto plan = scheduling::make("cost", work, units);
    (void)simulate(*plan, work, 16, linear_time(work, speeds_of(units, {0, cpu_task}, gpu)), 6);
    return settled_map(*plan);
  };
  CHECK(count(map_for(3.2e-3), units) == counts{.cpu = 30, .gpu = 994});   // two take 67% of a pass
  CHECK(count(map_for(4.2e-3), units) == counts{.cpu = 15, .gpu = 1009});  // two would take 89%

  const auto speeds = speeds_of(units, {0, 4.2e-3}, gpu);
  std::vector<unit_id> full(1024, unit_id{15});
  for (int t = 0; t < 30; ++t) full[static_cast<std::size_t>(t)] = unit_id{t / 2};
  generator rng{7};
  CHECK(mean_makespan(map_for(4.2e-3), units, speeds, rng) < 0.98 * mean_makespan(full, units, speeds, rng));
}

TEST_CASE("cost gives each unit neighbours among tasks of equal weight", "[cost]") {
  const std::vector<unit> units = make_units(3, 1);
  workload work{.n_tasks = 40};
  for (int t = 0; t < 40; ++t) work.weights.push_back(t % 2 == 0 ? 1 : 2);
  const auto plan = scheduling::make("cost", work, units);
  (void)simulate(*plan, work, 4, linear_time(work, speeds_of(units, {0, 1.0}, {0, 0.2})), 6);
  const std::vector<unit_id> map = settled_map(*plan);
  REQUIRE(map.size() == 40);
  for (std::size_t t = 2; t < map.size(); ++t) CHECK(map[t] >= map[t - 2]);
}
