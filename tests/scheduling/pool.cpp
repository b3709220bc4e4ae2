#include "driver.hpp"

#include <yoke/simulator.hpp>

using namespace driver;

namespace {

int cpu_tasks(const std::vector<unit_id>& map, int n_cpus) {
  return static_cast<int>(std::count_if(map.begin(), map.end(), [&](int u) { return u < n_cpus; }));
}

/// The first `n_cpus` units take `cpu` seconds a task, the others `gpu`.
batch_time times(int n_cpus, seconds cpu, seconds gpu) {
  return [=](unit_id unit, pass_id, std::span<const task_id> batch) {
    return static_cast<double>(batch.size()) * (unit < n_cpus ? cpu : gpu);
  };
}

}  // namespace

TEST_CASE("pool gives the CPU CUs together the longest prefix within C/(G*PCF+C), not a multiple of them",
          "[pool]") {
  const auto for_cpus = [](int tasks, int cpus, int gpus, const std::string& pcf) {
    const auto plan = scheduling::make("pool,pcf=" + pcf, workload{.n_tasks = tasks}, make_units(cpus, gpus));
    CHECK(settled_from(*plan) == 0);
    return cpu_tasks(settled_map(*plan), cpus);
  };
  CHECK(for_cpus(1024, 15, 1, "668") == 22);
  CHECK(for_cpus(1024, 15, 1, "1e9") == 0);
  CHECK(for_cpus(10, 3, 2, "1") == 6);
  CHECK(for_cpus(10, 3, 0, "7") == 10);
  CHECK(for_cpus(10, 0, 2, "7") == 0);
}

TEST_CASE("CPU CUs that share take what a slow one leaves, GPU CUs keep their tasks", "[pool]") {
  const std::vector<unit> units = make_units(4, 1);
  const workload work{.n_tasks = 100};
  const batch_time slow_cpu = [](unit_id unit, pass_id, std::span<const task_id> batch) {
    return static_cast<double>(batch.size()) * (unit == 4 ? 0.1 : unit == 2 ? 4.0 : 1.0);
  };
  const auto run = [&](const char* spec) {
    const auto plan = scheduling::make(spec, work, units);
    return simulate(*plan, work, 5, slow_cpu, 3);
  };
  const auto shared = run("pool,pcf=21"), apart = run("static-hybrid,pcf=21");
  for (const simulated_pass& pass : shared) {
    CHECK(cpu_tasks(pass.map, 4) == 16);
    CHECK(std::count(pass.map.begin(), pass.map.end(), unit_id{2}) <= 2);
    for (std::size_t t = 16; t < pass.map.size(); ++t) CHECK(pass.map[t] == unit_id{4});
  }
  CHECK(apart.back().makespan() == Approx(16));
  CHECK(shared.back().makespan() == Approx(8.4));  // the GPU: 84 tasks
}

TEST_CASE("pool finds the cut with the shortest pass, with room for CPU CUs that are late", "[pool]") {
  const std::vector<unit> units = make_units(4, 1);
  const workload work{.n_tasks = 100};
  const auto cut = [&](seconds cpu, seconds gpu) {
    const auto plan = scheduling::make("pool", work, units);
    CHECK(plan->describe().find("not fitted") != std::string::npos);
    const auto passes = simulate(*plan, work, 5, times(4, cpu, gpu), 8);
    CHECK(settled_from(*plan) == 5);
    CHECK(plan->describe().find("by fitted speeds") != std::string::npos);
    CHECK(cpu_tasks(passes[7].map, 4) == cpu_tasks(settled_map(*plan), 4));
    return cpu_tasks(settled_map(*plan), 4);
  };
  const int alike = cut(1.0, 0.1);  // 28 if nobody were ever late
  CHECK(alike >= 22);
  CHECK(alike <= 28);
  CHECK(cut(4.9, 0.1) == 4);  // a second one for each would end at 9.8 s
  CHECK(cut(20.0, 0.1) == 0);
  CHECK(cut(0.001, 1.0) == 100);
}

TEST_CASE("a CPU CU of several CPUs takes a task for each of them, and no more than its share of the rest",
          "[pool]") {
  std::vector<unit> units = make_units(2, 0);
  for (unit& u : units) u.cpus = 3;
  const auto plan = scheduling::make("pool", workload{.n_tasks = 10}, units);
  CHECK(plan->next(unit_id{1}, 0).size() == 3);
  CHECK(plan->next(unit_id{0}, 0).size() == 3);
  CHECK(plan->next(unit_id{0}, 0).size() == 2);
  CHECK(plan->next(unit_id{1}, 0).size() == 1);
  CHECK(plan->next(unit_id{0}, 0).size() == 1);
  CHECK(plan->next(unit_id{1}, 0).empty());
}

TEST_CASE("a long task of a pool has a CPU CU of several CPUs to itself", "[pool]") {
  std::vector<unit> units = make_units(4, 0);
  for (unit& u : units) u.cpus = 4;
  const workload work{.n_tasks = 9, .weights = {1, 1, 1, 1, 10, 1, 1, 1, 1}};
  const auto plan = scheduling::make("pool", work, units);
  const std::span<const task_id> first = plan->next(unit_id{2}, 0);
  REQUIRE(first.size() == 1);
  CHECK(first[0] == 4);
  CHECK(plan->next(unit_id{0}, 0).size() == 2);
}

TEST_CASE("beside GPUs a CPU CU of several CPUs takes several tasks only where it gets many", "[pool]") {
  const auto first = [](int on_cpus) {
    std::vector<unit> units = make_units(15, 1);
    for (unit& u : units) u.cpus = u.kind == unit_kind::cpu ? 2 : 1;
    const int tasks = 10 * on_cpus;
    const std::string pcf = std::to_string(15 * (tasks - on_cpus) / static_cast<double>(on_cpus));
    const auto plan = scheduling::make("pool,pcf=" + pcf, workload{.n_tasks = tasks}, units);
    return plan->next(unit_id{0}, 0).size();
  };
  CHECK(first(30) == 1);  // two each, one after the other
  CHECK(first(45) == 1);
  CHECK(first(90) == 2);
}

TEST_CASE("as many tasks as CPU CUs of several CPUs: each gets one", "[pool]") {
  std::vector<unit> units = make_units(16, 0);
  for (unit& u : units) u.cpus = 2;
  const auto plan = scheduling::make("auto", workload{.n_tasks = 16}, units);
  for (int u = 0; u < 16; ++u) CHECK(plan->next(unit_id{u}, 0).size() == 1);
}

TEST_CASE("tasks of a pool that are alike stay with a CU until another has none left, on its node first",
          "[pool]") {
  std::vector<unit> units = make_units(4, 0);
  units[2].numa_node = units[3].numa_node = 7;
  const auto plan = scheduling::make("pool", workload{.n_tasks = 8}, units);
  const auto take = [&](int unit, pass_id pass) {
    const std::span<const task_id> batch = plan->next(unit_id{unit}, pass);
    return batch.empty() ? -1 : static_cast<int>(batch.front());
  };
  for (const pass_id pass : {0, 1}) {
    for (const int own : {0, 1}) CHECK(take(0, pass) == own);
    CHECK(take(2, pass) == 4);
    for (const int next : {6, 7, 5, 2, 3}) CHECK(take(3, pass) == next);
    for (const int unit : {0, 1, 2, 3}) CHECK(take(unit, pass) == -1);
  }
}

TEST_CASE("a task of a pool is run on its NUMA node until another node has nothing left to do", "[pool]") {
  std::vector<unit> units = make_units(4, 0);
  units[2].numa_node = units[3].numa_node = 7;
  const workload uneven{.n_tasks = 8, .weights = {1, 2, 1, 2, 1, 2, 1, 2}};
  const auto plan = scheduling::make("pool", uneven, units);
  const auto take = [&](int unit, pass_id pass) {
    const std::span<const task_id> batch = plan->next(unit_id{unit}, pass);
    return batch.empty() ? -1 : static_cast<int>(batch.front());
  };
  for (const pass_id pass : {0, 1}) {
    for (const int own : {5, 7, 4}) CHECK(take(3, pass) == own);
    for (const int own : {1, 3, 0, 2}) CHECK(take(own % 2, pass) == own);
    CHECK(take(1, pass) == 6);  // of the other node, which is late
    for (const int unit : {0, 1, 2, 3}) CHECK(take(unit, pass) == -1);
  }
}

TEST_CASE("no CPU CU waits while a pool of any NUMA node has a task", "[pool]") {
  generator rng{seed()};
  for (int i = 0; i < 50; ++i) {
    std::vector<unit> units = make_units(between(rng, 1, 6), 0);
    for (unit& u : units) u.numa_node = between(rng, 0, 2);
    const workload work{.n_tasks = between(rng, 1, 40)};
    const auto plan = scheduling::make("pool", work, units);
    const batch_time slow_node = [&](unit_id unit, pass_id, std::span<const task_id> batch) {
      return static_cast<double>(batch.size()) * (units[static_cast<std::size_t>(int{unit})].numa_node + 1);
    };
    for (const simulated_pass& pass : simulate(*plan, work, static_cast<int>(units.size()), slow_node, 3)) {
      CAPTURE(Catch::rngSeed(), i);
      const auto [least, most] = std::ranges::minmax(pass.busy);
      CHECK(most - least <= 3);  // the longest task
    }
  }
}

TEST_CASE("a pool hands out large tasks first, and a whole pass after an abandoned one", "[pool]") {
  const workload work{.n_tasks = 4, .weights = {1, 3, 2, 3}};
  const auto plan = scheduling::make("pool", work, make_units(2, 0));
  const auto take = [&](int unit, pass_id pass) {
    const std::span<const task_id> batch = plan->next(unit_id{unit}, pass);
    return batch.empty() ? -1 : static_cast<int>(batch.front());
  };
  CHECK(take(0, 0) == 1);
  CHECK(take(1, 0) == 3);  // the pass ends here
  CHECK(take(1, 1) == 1);
  CHECK(take(0, 1) == 3);
  CHECK(take(0, 1) == 2);
  CHECK(take(0, 1) == 0);
  CHECK(take(0, 1) == -1);
  CHECK(take(1, 1) == -1);
}

TEST_CASE("a CPU CU that is passes behind finds its own share, then the pool", "[pool]") {
  const std::vector<unit> units = make_units(2, 1);
  const workload work{.n_tasks = 60};
  const auto plan = scheduling::make("pool", work, units);
  record seen;
  seen.unit_of.assign(20, std::vector<int>(60, -1));
  const batch_time time = times(2, 1, 0.1);
  agent cpu{.id = unit_id{0}}, late{.id = unit_id{1}}, gpu{.id = unit_id{2}};
  while (gpu.pass < 9) gpu.step(*plan, seen, time);
  while (cpu.pass < 8) cpu.step(*plan, seen, time);
  CHECK(settled_from(*plan) == -1);
  while (late.pass < 5) late.step(*plan, seen, time);
  while (gpu.pass < 20) gpu.step(*plan, seen, time);
  CHECK(settled_from(*plan) == 9);
  while (cpu.pass < 20) cpu.step(*plan, seen, time);
  while (late.pass < 20) late.step(*plan, seen, time);
  CHECK(seen.twice == 0);
  CHECK(seen.missing() == 0);
}
