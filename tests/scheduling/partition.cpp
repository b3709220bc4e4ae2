#include "driver.hpp"

#include <cmath>
#include <numeric>

#include <yoke/error.hpp>
#include <yoke/simulated_machine.hpp>

using namespace driver;

namespace {

/// Tasks in a grid that is closed in both directions, as NPB-MZ's zones; every edge has as many bytes.
struct torus {
  int nx;
  int ny;
  workload work;

  torus(int columns, int rows, std::vector<double> weights = {}) : nx{columns}, ny{rows} {
    work.n_tasks = nx * ny;
    work.weights = std::move(weights);
    work.edges = driver::closed_grid(nx, ny, 1000);
  }
  task_id at(int x, int y) const { return task_id{x + nx * y}; }
};

/// Edges between tasks in different memories.
int edges_cut(const workload& work, const std::vector<unit_id>& map, const std::vector<unit>& units) {
  const auto space = [&](task_id t) {
    return units[static_cast<std::size_t>(int{map[static_cast<std::size_t>(int{t})]})].space;
  };
  return static_cast<int>(
      std::ranges::count_if(work.edges, [&](const edge& e) { return space(e.from) != space(e.to); }));
}

/// The map after the measured passes, on units of these speeds.
std::vector<unit_id> settled_on(const workload& work, const std::vector<unit>& units,
                                const std::vector<speed>& speeds, const std::string& spec = "partition") {
  const auto plan = scheduling::make(spec, work, units);
  (void)simulate(*plan, work, static_cast<int>(units.size()), linear_time(work, speeds), 8);
  return settled_map(*plan);
}

std::vector<double> finishes(const workload& work, const std::vector<unit_id>& map,
                             const std::vector<speed>& speeds) {
  std::vector<double> ends(speeds.size());
  for (std::size_t t = 0; t < map.size(); ++t) {
    const auto u = static_cast<std::size_t>(int{map[t]});
    ends[u] += speeds[u].per_weight * weight_of(work, task_id{static_cast<int>(t)});
  }
  return ends;
}

double makespan_of(const workload& work, const std::vector<unit_id>& map, const std::vector<speed>& speeds) {
  return std::ranges::max(finishes(work, map, speeds));
}

struct cut_and_time {
  int edges;
  seconds pass;
};

/// Of the last of forty passes.
cut_and_time cut_and_pass(const std::string& spec, const workload& work, const std::vector<unit>& units,
                          const std::vector<speed>& speeds) {
  const auto plan = scheduling::make(spec, work, units);
  const auto run = simulate(*plan, work, static_cast<int>(units.size()), linear_time(work, speeds), 40);
  return {edges_cut(work, plan->plan_of(39).map, units), run.back().makespan()};
}

/// Fewest edges that a rectangle of so many tasks and more, or whole rows, cuts off a closed grid.
int rectangle_cut(const torus& grid, int n_tasks) {
  int least = 2 * std::min(grid.nx, grid.ny) + 2;
  for (int a = 1; a < grid.nx; ++a)
    if (const int b = (n_tasks + a - 1) / a; b < grid.ny) least = std::min(least, 2 * (a + b));
  return least;
}

}  // namespace

TEST_CASE("partition cuts a closed grid in as few places as rectangles do", "[partition]") {
  const torus grid{32, 32};
  const struct {
    int gpus;
    int least_cut;
  } rows[] = {{2, 64}, {4, 128}, {8, 192}};
  for (const auto& row : rows) {
    const std::vector<unit> units = make_units(0, row.gpus);
    const std::vector<speed> speeds(units.size(), speed{.launch = 0, .per_weight = 1e-3});
    const std::vector<unit_id> map = settled_on(grid.work, units, speeds);
    INFO(row.gpus << " GPUs");
    CHECK(edges_cut(grid.work, map, units) <= 1.15 * row.least_cut);
    CHECK(makespan_of(grid.work, map, speeds) == Approx(1.024 / row.gpus));
  }
}

TEST_CASE("partition keeps the CPUs' tasks together, for unequal speeds", "[partition]") {
  const torus grid{32, 32};
  for (const double pcf : {30.0, 100.0, 300.0}) {
    const std::vector<unit> units = make_units(15, 1);
    const std::vector<speed> speeds = speeds_of(units, {0, pcf * 1e-5}, {0, 1e-5});
    const std::vector<unit_id> map = settled_on(grid.work, units, speeds);
    const auto on_cpus = static_cast<int>(std::ranges::count_if(map, [](unit_id u) { return u < 15; }));
    INFO("PCF " << pcf << ", " << on_cpus << " on CPUs");
    REQUIRE(on_cpus > 0);
    CHECK(edges_cut(grid.work, map, units) <= 1.15 * rectangle_cut(grid, on_cpus));
  }
}

TEST_CASE("partition is hardly longer than the best map of uneven tasks without neighbours",
          "[partition][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  constexpr int rounds = 10;
  double cuts =
      0;  // of a round on the average, over whole rows, and a little more where weights do not come out even
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> weights(24 * 24);
    for (double& w : weights) w = std::exp(real(rng, 0, 3));
    const torus grid{24, 24, weights};
    const std::vector<unit> units = make_units(0, between(rng, 2, 5));
    std::vector<speed> speeds;
    double rate = 0;
    for (std::size_t u = 0; u < units.size(); ++u) {
      speeds.push_back({0, real(rng, 1e-3, 3e-3)});
      rate += 1 / speeds.back().per_weight;
    }
    const double least = std::accumulate(weights.begin(), weights.end(), 0.0) / rate;
    const std::vector<unit_id> map = settled_on(grid.work, units, speeds, "partition,bandwidth=1000");
    CAPTURE(round, units.size());
    CHECK(makespan_of(grid.work, map, speeds) <= 1.02 * least);
    const double cut = edges_cut(grid.work, map, units) / ((24 + 2) * static_cast<double>(units.size()));
    CHECK(cut <= 1.5);
    cuts += cut / rounds;
  }
  CHECK(cuts <= 1.1);
}

TEST_CASE("partition leaves the GPUs alone where exchange costs more than they give", "[partition]") {
  const torus grid{8, 8};
  const std::vector<unit> units = make_units(4, 2);
  const std::vector<speed> speeds = speeds_of(units, {0, 1e-6}, {0, 1e-6});
  const std::vector<unit_id> map = settled_on(grid.work, units, speeds, "partition,bandwidth=0.001");
  CHECK(edges_cut(grid.work, map, units) == 0);
  const std::vector<unit_id> fast = settled_on(grid.work, units, speeds, "partition,bandwidth=1000");
  CHECK(edges_cut(grid.work, fast, units) > 0);
}

TEST_CASE("partition prices what devices exchange by the links between them", "[partition]") {
  torus grid{8, 8};
  const std::vector<unit> units = make_units(0, 2);
  const std::vector<speed> speeds = speeds_of(units, {0, 1e-6}, {0, 1e-6});
  const auto predicted = [&](const std::string& spec) {
    const auto plan = scheduling::make(spec, grid.work, units);
    (void)simulate(*plan, grid.work, 2, linear_time(grid.work, speeds), 8);
    const std::string told = plan->describe();
    return std::stod(told.substr(told.find("predicted makespan ") + 19));
  };
  const double by_host = predicted("partition"), slowly = predicted("partition,bandwidth=0.1");
  grid.work.links = {{units[0].space, units[1].space, 1e15}, {units[1].space, units[0].space, 1e15}};
  const double direct = predicted("partition");
  CHECK(direct == Approx(32e-6));                         // half of the tasks each, and nothing beside
  CHECK(by_host > 1.02 * direct);                         // 32 edges of 1000 bytes at 12 GB/s
  CHECK(predicted("partition,bandwidth=0.1") == slowly);  // what the user says counts
  grid.work.links.front().bandwidth = 0;
  CHECK_THROWS_AS(scheduling::make("partition", grid.work, units), usage_error);
}

TEST_CASE("auto and cost keep neighbours together on several GPUs, with CPU CUs beside them and without",
          "[partition][auto][cost]") {
  std::vector<double> uneven;
  for (int n = 0; n < 32 * 32; ++n) uneven.push_back(std::pow(20, (n % 32) / 62.0 + (n / 32) / 62.0));
  for (const bool is_even : {true, false})
    for (const int cpus : {0, 4})
      for (const int gpus : {2, 4, 8}) {
        const torus grid{32, 32, is_even ? std::vector<double>{} : uneven};
        const std::vector<unit> units = make_units(cpus, gpus);
        const std::vector<speed> speeds = speeds_of(units, {0, 3e-3}, {1e-4, 1e-5});
        const auto [least_cut, shortest] = cut_and_pass("partition", grid.work, units, speeds);
        for (const char* name : {"auto", "cost"}) {
          const auto [cut, pass] = cut_and_pass(name, grid.work, units, speeds);
          CAPTURE(is_even, cpus, gpus, name);
          CHECK(cut <= 1.15 * least_cut);
          CHECK(pass <= 1.01 * shortest);
        }
      }
}

TEST_CASE("partition stays inside each memory", "[partition]") {
  torus grid{16, 16};
  grid.work.bytes.assign(256, 1 << 20);
  const std::vector<unit> units = make_units(1, 2, std::size_t{50} << 20);
  const std::vector<speed> speeds = speeds_of(units, {0, 1e-3}, {0, 1e-5});
  const std::vector<unit_id> map = settled_on(grid.work, units, speeds);
  for (const int gpu : {1, 2}) CHECK(std::ranges::count(map, unit_id{gpu}) <= 50);
}

TEST_CASE("partition takes a graph of several pieces, of loops and of none", "[partition]") {
  for (const int step : {0, 1, 2, 7}) {
    workload work{.n_tasks = 60};
    for (int t = 0; step > 0 && t + step < 60; ++t)
      work.edges.push_back({task_id{t}, task_id{t + step - 1}, 8});
    const std::vector<unit> units = make_units(2, 2);
    const std::vector<unit_id> map = settled_on(work, units, speeds_of(units, {0, 1e-3}, {0, 1e-4}));
    CHECK(map.size() == 60);
  }
}

TEST_CASE("partition says what it was given where that is no bandwidth", "[partition]") {
  const std::vector<unit> units = make_units(1, 1);
  CHECK_THROWS_WITH(scheduling::make("partition,bandwidth=0", workload{.n_tasks = 1}, units),
                    Catch::Contains("bandwidth=0"));
}

TEST_CASE("noise of alike CPU CUs does not give one of them more than it can do", "[partition][pool][cost]") {
  constexpr int cpus = 16, gpus = 2, passes = 16;
  workload work{.n_tasks = 256};
  for (int n = 0; n < work.n_tasks; ++n) work.weights.push_back(std::exp(n * std::log(20.0) / 255));
  simulated_machine on;
  for (const unit& each : make_units(cpus, gpus)) {
    const bool is_cpu = each.kind == unit_kind::cpu;
    on.units.push_back({.seen = each,
                        .alone = is_cpu ? speed{0, 1} : speed{1, 0.1},
                        .group = is_cpu ? 0 : 1,
                        .noise = is_cpu ? 0.1 : 0});
  }
  for (const char* name : {"partition", "pool", "cost"})
    for (on.seed = 1; on.seed <= 4; ++on.seed) {
      CAPTURE(name, on.seed);
      const auto plan = scheduling::make(name, work, on.seen());
      const auto run = simulate(*plan, work, on, {.passes = passes});
      seconds late = 0;
      for (int pass = passes / 2; pass < passes; ++pass)
        late += run[static_cast<std::size_t>(pass)].makespan();
      CHECK(late / (passes - passes / 2) < 1.15 * best_of(on, work).bound);
    }
}
