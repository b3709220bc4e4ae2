/// The schedules that learn beside GPUs that are much faster than CPU CUs, in virtual time.

#include "scenarios.hpp"

#include <algorithm>

#include <yoke/simulator.hpp>

using namespace driver;

TEST_CASE("what learns comes to the GPU alone beside an H200, the passes of learning included",
          "[scheduling][scenario]") {
  constexpr int passes = 300;
  for (const char* schedule : {"auto", "pool", "cost"}) {
    CAPTURE(schedule);
    for (const scenario& one : {sp_d(15, 1), sp_c(15, 1), bt_d(15, 1), lu_d(15, 1)}) {
      const double share = one.one_gpu() / one.mean_pass(schedule, passes);
      CAPTURE(one.work.n_tasks, share);
      CHECK(share >= 0.95);
    }
  }
}

TEST_CASE("beside an H200 the CPU CUs gain what they can in class D", "[scheduling][scenario]") {
  CHECK(sp_d(15, 1).one_gpu() / sp_d(15, 1).mean_pass("auto", 300) >= 1.01);
  CHECK(bt_d(15, 1).one_gpu() / bt_d(15, 1).mean_pass("auto", 300) >= 1.02);
}

TEST_CASE("two GPUs do uneven zones in half the time, with CPU CUs and without", "[scheduling][scenario]") {
  for (const char* schedule : {"auto", "pool", "cost"})
    for (const int cpus : {0, 30}) {
      CAPTURE(schedule, cpus);
      CHECK(bt_d(cpus, 2).one_gpu() / bt_d(cpus, 2).mean_pass(schedule, 300) >= 1.9);
    }
}

TEST_CASE("cost gives each of two GPUs neighbouring zones where they are uneven", "[scheduling][scenario]") {
  const scenario bt = bt_d(0, 2);
  const auto plan = scheduling::make("cost", bt.work, bt.units);
  const speed gpu{launch, bt.gpu / bt.all()};
  (void)simulate(*plan, bt.work, 2, linear_time(bt.work, {gpu, gpu}), 8);
  const std::vector<unit_id> map = settled_map(*plan);
  REQUIRE(map.size() == 1024);
  int borders = 0;
  for (std::size_t t = 1; t < map.size(); ++t) borders += map[t] != map[t - 1] ? 1 : 0;
  CHECK(borders == 1);
}

TEST_CASE("on CPUs alone cost is as good as a pool", "[scheduling][scenario]") {
  const scenario sp{{.n_tasks = 256}, make_units(30, 0), 1e-3, 1};
  const scenario bt{uneven_zones(16), make_units(30, 0), 1e-3, 1};
  for (const scenario& one : {sp, bt}) CHECK(one.mean_pass("cost", 60) <= 1.03 * one.mean_pass("pool", 60));
}

TEST_CASE("work that is too small for a GPU stays on CPU CUs", "[scheduling][scenario]") {
  const std::vector<unit> units = beside_h200s(4, 1);
  const workload work{.n_tasks = 8};
  const auto plan = scheduling::make("auto", work, units);
  const auto seen =
      simulate(*plan, work, 5, linear_time(work, speeds_of(units, {0, 1e-6}, {launch, 1e-8})), 60);
  CHECK(std::ranges::count(seen.back().map, unit_id{4}) == 0);
}

TEST_CASE("memorizing says beside GPUs that it does not go by speeds", "[scheduling][scenario]") {
  const workload work{.n_tasks = 8};
  CHECK(
      scheduling::make("memorizing", work, make_units(2, 1))->describe().find("auto and pool go by speeds") !=
      std::string::npos);
  CHECK(scheduling::make("memorizing", work, make_units(2, 0))->describe().find("auto") == std::string::npos);
}

TEST_CASE("auto shares a few large zones between units that are alike", "[scheduling][auto]") {
  CHECK(share_of_all("auto", {.n_tasks = 8}, make_units(6, 2), {0, 1}, {0, 1}) >= 0.95);
  std::vector<unit> units = make_units(4, 1);
  units.back().processors = 4;
  CHECK(share_of_all("auto", {.n_tasks = 16}, units, {0, 1}, {0, 1.0 / 12}) >= 0.95);
}

TEST_CASE("auto shares many small zones between CPUs and a GPU", "[scheduling][auto]") {
  CHECK(share_of_all("auto", {.n_tasks = 1024}, beside_h200s(16, 1), {0, 1e-3}, {launch, 5e-5}) >= 0.95);
}

TEST_CASE("auto shares uneven zones between CPUs and two GPUs", "[scheduling][auto]") {
  CHECK(share_of_all("auto", uneven_zones(16), beside_h200s(8, 2), {0, 1e-3}, {launch, 1e-4}) >= 0.93);
}

TEST_CASE("auto follows a GPU that slows down to a third, soon and without going to and fro",
          "[scheduling][auto]") {
  const std::vector<unit> units = beside_h200s(16, 2);
  const workload work{.n_tasks = 512};
  constexpr int slow_from = 100, passes = 300;
  const auto plan = scheduling::make("auto", work, units);
  std::vector<std::vector<unit_id>> maps;
  const auto seen = simulate(
      *plan, work, 18,
      [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
        if (static_cast<std::size_t>(pass) == maps.size()) maps.push_back(plan->plan_of(pass).map);
        const double factor = int{unit} == 17 && pass >= slow_from ? 3 : 1;
        return static_cast<double>(batch.size()) * (int{unit} < 16 ? 1e-1 : 1e-2 * factor);
      },
      passes);
  const seconds before = 512 / (160 + 200.0), after = 512 / (160 + 100 + 100 / 3.0);
  CHECK(seen[slow_from - 1].makespan() <= before / 0.93);
  int poor = 0, changes = 0;
  for (std::size_t p = slow_from; p < passes; ++p) {
    poor += seen[p].makespan() > after / 0.9 ? 1 : 0;
    changes += maps[p] != maps[p - 1] ? 1 : 0;
  }
  INFO(plan->describe());
  CHECK(poor <= 25);
  CHECK(changes >= 1);
  CHECK(changes <= 3);
}

TEST_CASE("a pool goes on where one of its CPU CUs slows down, and its map stays", "[scheduling][auto]") {
  const std::vector<unit> units = beside_h200s(8, 1);
  const workload work{.n_tasks = 512};
  const auto plan = scheduling::make("auto", work, units);
  const auto seen = simulate(
      *plan, work, 9,
      [](unit_id unit, pass_id pass, std::span<const task_id> batch) {
        const double factor = unit == 3 && pass >= 100 ? 2 : 1;
        return static_cast<double>(batch.size()) * (unit < 8 ? 1e-2 : 1e-3) * factor;
      },
      200);
  CHECK(seen[199].makespan() <= 1.1 * seen[99].makespan());
}
