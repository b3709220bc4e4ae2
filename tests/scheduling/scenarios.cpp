/// The schedules that learn beside GPUs that are much faster than CPU CUs, in virtual time.

#include "driver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <yoke/simulator.hpp>

using namespace driver;

namespace {

/// An H200 has 132 processors; a launch takes 25 us.
constexpr seconds launch = 25e-6;

std::vector<unit> beside_h200s(int cpus, int gpus) {
  std::vector<unit> units = make_units(cpus, gpus);
  for (unit& u : units)
    if (u.kind == unit_kind::gpu) u.processors = 132;
  return units;
}

/// One zone of `work` takes a CPU CU `cpu` on average, a GPU all of them `gpu`; CPU CUs vary by 10%.
struct scenario {
  workload work;
  std::vector<unit> units;
  seconds cpu, gpu;

  double all() const {
    return work.weights.empty() ? work.n_tasks
                                : std::accumulate(work.weights.begin(), work.weights.end(), 0.0);
  }
  seconds one_gpu() const { return launch + gpu; }
  /// Mean pass of `passes` from the first on.
  seconds mean_pass(const char* schedule, int passes) const {
    generator rng{5};
    const speed of_cpu{0, cpu * work.n_tasks / all()}, of_gpu{launch, gpu / all()};
    const batch_time usual = linear_time(work, speeds_of(units, of_cpu, of_gpu));
    const auto plan = scheduling::make(schedule, work, units);
    const auto seen = simulate(
        *plan, work, static_cast<int>(units.size()),
        [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
          const bool is_cpu = units[static_cast<std::size_t>(int{unit})].kind == unit_kind::cpu;
          const double factor = is_cpu ? std::normal_distribution{1.0, 0.1}(rng) : 1;
          return usual(unit, pass, batch) * std::max(factor, 0.5);
        },
        passes);
    return (seen.back().end - seen.front().begin) / passes;
  }
};

/// Widths of zones in a direction grow geometrically, the largest zone is 20 times the smallest (BT-MZ).
workload uneven_zones(int side) {
  workload work{.n_tasks = side * side};
  const double step = std::pow(20.0, 0.5 / (side - 1));
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) work.weights.push_back(std::pow(step, x + y));
  return work;
}

/// Class D of SP-MZ: a CPU takes 4 ms for one of 1024 zones, the GPU 9.45 ms for all.
scenario sp_d(int cpus, int gpus) { return {{.n_tasks = 1024}, beside_h200s(cpus, gpus), 4e-3, 9.45e-3}; }
scenario sp_c(int cpus, int gpus) { return {{.n_tasks = 256}, beside_h200s(cpus, gpus), 1e-3, 0.65e-3}; }
scenario bt_d(int cpus, int gpus) { return {uneven_zones(32), beside_h200s(cpus, gpus), 9e-3, 27e-3}; }
/// Few large zones: one takes a CPU far longer than all take the GPU.
scenario lu_d(int cpus, int gpus) { return {{.n_tasks = 16}, beside_h200s(cpus, gpus), 1.6, 31e-3}; }

}  // namespace

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

namespace {

/// The settled pass of `auto` over that of the units together, as if tasks could be cut.
double share_of_all(const workload& work, const std::vector<unit>& units, speed cpu, speed gpu) {
  const std::vector<speed> speeds = speeds_of(units, cpu, gpu);
  const auto plan = scheduling::make("auto", work, units);
  const auto seen = simulate(*plan, work, static_cast<int>(units.size()), linear_time(work, speeds), 60);
  double all = 0, rate = 0;
  for (int t = 0; t < work.n_tasks; ++t) all += weight_of(work, task_id{t});
  for (const speed& one : speeds) rate += 1 / one.per_weight;
  INFO(plan->describe());
  return all / rate / seen.back().makespan();
}

}  // namespace

TEST_CASE("auto shares a few large zones between units that are alike", "[scheduling][auto]") {
  CHECK(share_of_all({.n_tasks = 8}, make_units(6, 2), {0, 1}, {0, 1}) >= 0.95);
  std::vector<unit> units = make_units(4, 1);
  units.back().processors = 4;
  CHECK(share_of_all({.n_tasks = 16}, units, {0, 1}, {0, 1.0 / 12}) >= 0.95);
}

TEST_CASE("auto shares many small zones between CPUs and a GPU", "[scheduling][auto]") {
  CHECK(share_of_all({.n_tasks = 1024}, beside_h200s(16, 1), {0, 1e-3}, {launch, 5e-5}) >= 0.95);
}

TEST_CASE("auto shares uneven zones between CPUs and two GPUs", "[scheduling][auto]") {
  CHECK(share_of_all(uneven_zones(16), beside_h200s(8, 2), {0, 1e-3}, {launch, 1e-4}) >= 0.93);
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
