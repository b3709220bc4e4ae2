#include "maps_seen.hpp"

#include <algorithm>
#include <random>

#include <yoke/learner.hpp>
#include <yoke/simulator.hpp>

using namespace yoke;
using driver::machine;
using driver::outcome;
using driver::run;
using driver::speeds_of;
using driver::uses;

namespace {

/// SP-MZ class D, 500 steps, beside an H200 and 15 CPUs: a zone takes a CPU 4 ms, the GPU does all in 9.45
/// ms.
struct class_d {
  workload work{.n_tasks = 1024, .passes = 500};
  std::vector<unit> units = machine(15, 1, 132);
  batch_time time = linear_time(work, speeds_of(units, {0, 4e-3}, {0, 9.45e-3 / 1024}));
};

/// Two each would be 30, with nothing left for one that is late.
void check_cpus_are_used_with_slack(const std::vector<unit_id>& map) {
  const auto on_cpus = std::ranges::count_if(map, [](unit_id u) { return int{u} < 15; });
  CHECK(on_cpus >= 23);
  CHECK(on_cpus <= 28);
}

}  // namespace

TEST_CASE("auto keeps CPU CUs beside a much faster GPU where they pay", "[scheduling]") {
  const class_d sp;
  const auto plan = scheduling::make("auto", sp.work, sp.units);
  const outcome end = run(*plan, sp.work, 16, sp.time, 500);
  INFO(plan->describe());
  check_cpus_are_used_with_slack(end.map);
}

TEST_CASE("auto leaves CPU CUs out whose tasks would take longer than all others on the GPU",
          "[scheduling]") {
  const std::vector<unit> units = machine(15, 1, 132);
  const workload work{.n_tasks = 16};  // LU-MZ
  const auto plan = scheduling::make("auto", work, units);
  CHECK(!uses(plan->plan_of(0).map, units, unit_kind::cpu));  // not even to find out
  const outcome end = run(*plan, work, 16, linear_time(work, speeds_of(units, {0, 1.6}, {0, 7.3e-4})), 40);
  CHECK(!uses(end.map, units, unit_kind::cpu));
  CHECK(end.changes == 0);
}

TEST_CASE("auto gives few tasks to those of unlike CPUs that are fast", "[scheduling][auto]") {
  const std::vector<unit> units = machine(8, 0);
  const workload work{.n_tasks = 13};
  const auto slow = [](unit_id unit) { return int{unit} < 4 ? 1.8e-3 : 1e-3; };
  const auto plan = scheduling::make("auto", work, units);
  CHECK(!plan->learning()->wants_rehearsal());
  const auto seen = simulate(
      *plan, work, 8,
      [&](unit_id unit, pass_id, std::span<const task_id> batch) {
        return slow(unit) * static_cast<double>(batch.size());
      },
      40);
  INFO(plan->describe());
  CHECK(seen.back().makespan() <= 3e-3 * (1 + 1e-9));  // a pool: 3.6e-3
}

TEST_CASE("auto lets CPU CUs keep their task where none has two, and short passes move none of them",
          "[scheduling][auto]") {
  const workload work{.n_tasks = 16, .passes = 400};
  const std::vector<unit> units = driver::make_units(32, 0);
  const auto plan = scheduling::make("auto", work, units);
  CHECK(plan->plan_of(0).map.size() == 16);
  std::mt19937 random{7};
  const batch_time usual = linear_time(work, speeds_of(units, {0, 4e-5}, {0, 4e-5}));
  const outcome end = run(
      *plan, work, 32,
      [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
        return usual(unit, pass, batch) * (random() % 10 == 0 ? 3 : 1);
      },
      400);
  INFO(plan->describe());
  CHECK(end.changes <= 1);
}

TEST_CASE("auto loses little by following CPUs that are slower for a while by turns", "[scheduling]") {
  // LU-MZ class W on 32 CPUs.
  const std::vector<unit> units = machine(32, 0);
  const workload work{.n_tasks = 16};
  const auto time_of = [&](const char* schedule) {
    driver::generator random{17};
    const auto plan = scheduling::make(schedule, work, units);
    const auto seen = simulate(
        *plan, work, 32,
        [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
          const bool is_slow = int{unit} % 2 == pass / 80 % 2;
          return static_cast<double>(batch.size()) * 1e-4 * (is_slow ? 1.6 : 1) *
                 driver::real(random, 1, 1.3);
        },
        2000);
    return seen.back().end;
  };
  CHECK(time_of("auto") <= 1.05 * time_of("pool"));
}

TEST_CASE("auto leaves a GPU out that is slower than a CPU, or whose launches cost more than the work",
          "[scheduling]") {
  const std::vector<unit> units = machine(2, 1);
  const workload work{.n_tasks = 16};
  for (const speed gpu : {speed{0, 50e-3}, speed{40e-3, 1e-5}}) {
    const auto plan = scheduling::make("auto", work, units);
    const outcome end = run(*plan, work, 3, linear_time(work, speeds_of(units, {0, 1e-3}, gpu)), 40);
    INFO(plan->describe());
    CHECK(!uses(end.map, units, unit_kind::gpu));
  }
}

TEST_CASE("auto takes one of two GPUs where the second costs more than it gives", "[scheduling]") {
  const std::vector<unit> units = machine(0, 2, 132);
  const workload work{.n_tasks = 4};
  const auto plan = scheduling::make("auto", work, units);
  // Together each needs a fixed time more, for what they send to each other.
  const outcome end = run(
      *plan, work, 2,
      [&](unit_id, pass_id, std::span<const task_id> batch) {
        return 1e-5 * static_cast<double>(batch.size()) + (batch.size() < 4 ? 1e-4 : 0);
      },
      40);
  INFO(plan->describe());
  CHECK(std::ranges::all_of(end.map, [&](unit_id u) { return u == end.map.front(); }));
}

TEST_CASE("auto follows a GPU that becomes slow, and does not go to and fro", "[scheduling]") {
  const std::vector<unit> units = machine(8, 1, 30);
  const workload work{.n_tasks = 64};
  const auto plan = scheduling::make("auto", work, units);
  const outcome end = run(
      *plan, work, 9,
      [](unit_id unit, pass_id pass, std::span<const task_id> batch) {
        const seconds gpu = pass < 100 ? 1e-5 : 1e-2;
        return static_cast<double>(batch.size()) * (int{unit} < 8 ? 1e-3 : gpu);
      },
      600);
  INFO(plan->describe());
  const auto on_gpu = std::ranges::count(end.map, unit_id{8});
  CHECK(on_gpu <= 2);
  CHECK(end.changes <= 8);
}

TEST_CASE("auto does not believe a single slow batch", "[scheduling]") {
  const std::vector<unit> units = machine(4, 1, 30);
  const workload work{.n_tasks = 64};
  const auto plan = scheduling::make("auto", work, units);
  const outcome end = run(
      *plan, work, 5,
      [](unit_id unit, pass_id pass, std::span<const task_id> batch) {
        const double outlier = pass == 3 && int{unit} == 4 ? 1000 : 1;
        return static_cast<double>(batch.size()) * (int{unit} < 4 ? 1e-2 : 1e-5) * outlier;
      },
      100);
  INFO(plan->describe());
  CHECK(std::ranges::count(end.map, unit_id{4}) == 64);
}

TEST_CASE("auto needs no more than the passes that warm up where it was told by a rehearsal",
          "[scheduling]") {
  const class_d sp;
  const auto plan = scheduling::make("auto", sp.work, sp.units);
  REQUIRE(plan->learning()->wants_rehearsal());
  plan->prepare(0);
  for (int u = 0; u < 15; ++u) plan->learning()->rehearsed(unit_id{u}, 1, 4e-3);
  constexpr int warm_up = 5;
  const outcome end = run(*plan, sp.work, 16, sp.time, warm_up + 1);
  check_cpus_are_used_with_slack(end.map);
}

TEST_CASE("auto leaves out GPUs on which one task takes longer than all of them on the CPUs",
          "[scheduling][auto]") {
  const std::vector<unit> units = machine(2, 1, 132);
  const workload work{.n_tasks = 16, .weights = std::vector<double>(16, 50)};
  const auto tasks_of_gpu = [&](seconds on_gpu, bool all_rehearse) {
    const auto plan = scheduling::make("auto", work, units);
    plan->prepare(0);
    plan->learning()->rehearsed(unit_id{0}, 50, 1e-3);
    if (all_rehearse) plan->learning()->rehearsed(unit_id{1}, 50, 1e-3);
    plan->learning()->rehearsed(unit_id{2}, 50, on_gpu);
    const auto tasks = std::ranges::count(plan->plan_of(0).map, unit_id{2});
    return tasks;
  };
  CHECK(tasks_of_gpu(17e-3, true) == 0);  // all on the CPUs: 8 ms
  CHECK(tasks_of_gpu(15e-3, true) > 0);
  CHECK(tasks_of_gpu(17e-3, false) > 0);
}

TEST_CASE("auto begins without GPUs that would take too long, and with those that may not",
          "[scheduling][auto]") {
  const std::vector<unit> units = machine(2, 1, 132);
  workload work{.n_tasks = 10, .weights = std::vector<double>(10, 10)};
  for (const std::size_t task : {3, 7}) work.weights[task] = 100;  // 280 in all, 140 ms on the CPUs
  const auto tasks_of_gpu = [&](seconds of_weight) {
    const auto plan = scheduling::make("auto", work, units);
    plan->prepare(0);
    for (int u = 0; u < 2; ++u) plan->learning()->rehearsed(unit_id{u}, 10, 10e-3);
    plan->learning()->rehearsed(unit_id{2}, 10, 10 * of_weight);
    std::vector<int> tasks;
    for (int task = 0; task < work.n_tasks; ++task)
      if (plan->plan_of(0).map[static_cast<std::size_t>(task)] == unit_id{2}) tasks.push_back(task);
    return tasks;
  };
  CHECK(std::ssize(tasks_of_gpu(2e-3)) >= 5);  // the heaviest in 200 ms or, by half, 100
  CHECK(tasks_of_gpu(30e-3).empty());          // the lightest in 300 ms or, by half, 150
}

TEST_CASE("auto begins with no more on a GPU of one processor than that can do one after the other",
          "[scheduling]") {
  const std::vector<unit> units = machine(2, 1);
  const workload work{.n_tasks = 16, .passes = 200, .warms_up = true};
  const auto on_gpu = [&](double slower) {
    const auto plan = scheduling::make("auto", work, units);
    for (int u = 0; u < 2; ++u) plan->learning()->rehearsed(unit_id{u}, 1, 1e-3);
    plan->learning()->rehearsed(unit_id{2}, 1, 1e-3 * slower);
    return std::ranges::count(plan->plan_of(0).map, unit_id{2});
  };
  CHECK(on_gpu(1) >= 5);
  CHECK(on_gpu(3) >= 1);
  CHECK(on_gpu(3) <= 5);  // in twice the time that is hoped for
  CHECK(on_gpu(13) == 0);
}

TEST_CASE("auto needs no rehearsal of GPUs alone, and one that comes late changes no map",
          "[scheduling][auto]") {
  const workload work{.n_tasks = 16};
  CHECK_FALSE(scheduling::make("auto", work, machine(0, 2, 132))->learning()->wants_rehearsal());
  for (const std::vector<unit>& units : {machine(2, 1, 132), machine(3, 0)}) {
    const auto plan = scheduling::make("auto", work, units);
    for (std::size_t u = 0; u < units.size(); ++u) (void)plan->next(unit_id{static_cast<int>(u)}, 0);
    const std::vector<unit_id> map = plan->plan_of(0).map;
    for (std::size_t u = 0; u < units.size(); ++u)
      plan->learning()->rehearsed(unit_id{static_cast<int>(u)}, 1,
                                  units[u].kind == unit_kind::gpu ? 1 : 1e-3);
    CHECK(plan->plan_of(0).map == map);
  }
}

TEST_CASE("auto moves nothing that cannot pay in the passes that are left", "[scheduling][auto]") {
  // Two GPUs; moving everything to one of them takes 0.1 s, a pass 1 ms together and 0.9 ms there.
  const std::vector<unit> units = machine(0, 2, 132);
  const auto changes_in = [&](pass_id planned) {
    const workload work{.n_tasks = 4, .bytes = std::vector<std::size_t>(4, 500'000'000), .passes = planned};
    const auto plan = scheduling::make("auto", work, units);
    const outcome end = run(
        *plan, work, 2,
        [&](unit_id, pass_id, std::span<const task_id> batch) {
          return 1e-4 * static_cast<double>(batch.size()) + (batch.size() < 4 ? 6e-4 : 0);
        },
        static_cast<int>(planned));
    return end.changes;
  };
  CHECK(changes_in(400) == 0);
  CHECK(changes_in(100'000) >= 1);
}

TEST_CASE("auto begins with one of several GPUs where there is little to do", "[scheduling][auto]") {
  const std::vector<unit> units = machine(0, 2, 132);
  const auto gpus_at_first = [&](std::size_t bytes) {
    const workload work{.n_tasks = 16, .bytes = std::vector<std::size_t>(16, bytes)};
    const std::vector<unit_id> map = scheduling::make("auto", work, units)->plan_of(0).map;
    return std::ranges::count(map, map.front()) == 16 ? 1 : 2;
  };
  CHECK(gpus_at_first(2'000'000) == 1);   // SP-MZ class A
  CHECK(gpus_at_first(30'000'000) == 2);  // and C
}

TEST_CASE("auto says what each number is of, and of passes what they took", "[scheduling]") {
  const std::vector<unit> units = machine(2, 1);
  const workload work{.n_tasks = 64};
  const auto plan = scheduling::make("auto", work, units);
  run(*plan, work, 3, linear_time(work, speeds_of(units, {0, 1e-3}, {0, 1e-4})), 40);
  plan->learning()->ran(30, 10, 0.47);
  const std::string told = plan->describe();
  INFO(told);
  CHECK(told.find("; its newest passes took 0.047 s each; this map: ") != std::string::npos);
  CHECK(told.find("expected") == std::string::npos);
  for (std::size_t at = told.find("; "); at != std::string::npos; at = told.find("; ", at + 1)) {
    const std::string part = told.substr(at + 2, told.find("; ", at + 1) - at - 2);
    if (part.find(" s a pass ") != std::string::npos) CHECK(part.find(": ") != std::string::npos);
  }
}
