#include "driver.hpp"

#include <cmath>
#include <cstdio>

#include <yoke/error.hpp>
#include <yoke/simulator.hpp>

using namespace driver;

namespace {

struct counts {
  int cpu = 0;
  int gpu = 0;
  friend bool operator==(counts, counts) = default;
};
[[maybe_unused]] std::ostream& operator<<(std::ostream& out, counts c) {
  return out << c.cpu << " on CPUs, " << c.gpu << " on GPUs";
}

counts count(const std::vector<unit_id>& map, const std::vector<unit>& units) {
  counts result;
  for (const unit_id u : map)
    ++(units[static_cast<std::size_t>(int{u})].kind == unit_kind::cpu ? result.cpu : result.gpu);
  return result;
}

counts hybrid_counts(const workload& work, int cpus, int gpus, const std::string& pcf) {
  const std::vector<unit> units = make_units(cpus, gpus);
  return count(settled_map(*scheduling::make("static-hybrid,pcf=" + pcf, work, units)), units);
}

double fitted_pcf(const schedule& plan) {
  double pcf = 0;
  const std::string text = plan.describe();
  if (std::sscanf(text.c_str(), "static-hybrid: pcf=%lf (fitted)", &pcf) != 1) return -1;
  return pcf;
}

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

TEST_CASE("ten tasks on one GPU and one CPU CU with pcf 3 are cut into 8 and 2", "[static-hybrid]") {
  CHECK(hybrid_counts({.n_tasks = 10}, 1, 1, "3") == counts{.cpu = 2, .gpu = 8});
}

// In times instead of the formula of the paper: a GPU takes one second for a task, a CPU CU PCF of them.
TEST_CASE("static-hybrid gives the CPU CUs as many tasks each as they run before the GPUs are through",
          "[static-hybrid][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 1000; ++round) {
    const int tasks = between(rng, 0, 500), cpus = between(rng, 1, 9), gpus = between(rng, 1, 4);
    const int tenths = between(rng, 1, 300);
    CAPTURE(tasks, cpus, gpus, tenths);
    const std::string pcf = std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
    const counts found = hybrid_counts({.n_tasks = tasks}, cpus, gpus, pcf);
    REQUIRE(found.cpu + found.gpu == tasks);
    REQUIRE(found.cpu % cpus == 0);
    // Whether the CPU CUs with so many tasks each are done when the GPUs are; both sides times 10 gpus.
    const auto are_in_time = [&](int each) { return each * tenths * gpus <= (tasks - each * cpus) * 10; };
    REQUIRE(are_in_time(found.cpu / cpus));
    REQUIRE_FALSE(are_in_time(found.cpu / cpus + 1));
  }
}

TEST_CASE("without GPUs all tasks go to the CPU CUs, without CPU CUs to the GPUs", "[static-hybrid]") {
  for (const char* pcf : {"3", "0.1", "auto"}) {
    CHECK(hybrid_counts({.n_tasks = 11}, 3, 0, pcf) == counts{.cpu = 11, .gpu = 0});
    CHECK(hybrid_counts({.n_tasks = 11}, 0, 2, pcf) == counts{.cpu = 0, .gpu = 11});
  }
}

TEST_CASE("extreme factors lose no task", "[static-hybrid]") {
  CHECK(hybrid_counts({.n_tasks = 10}, 2, 1, "1e-300") == counts{.cpu = 10, .gpu = 0});
  CHECK(hybrid_counts({.n_tasks = 10}, 2, 1, "1e300") == counts{.cpu = 0, .gpu = 10});
}

TEST_CASE("static-hybrid is static inside each set", "[static-hybrid]") {
  const auto plan = scheduling::make("static-hybrid,pcf=2", workload{.n_tasks = 13}, make_units(2, 2));
  const std::vector<int> expected{0, 0, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3};
  const std::vector<unit_id> map = settled_map(*plan);
  CHECK(std::equal(map.begin(), map.end(), expected.begin(), expected.end()));
  CHECK(settled_from(*plan) == 0);
  CHECK(plan->describe() == "static-hybrid: pcf=2 (given), 9 tasks on GPUs, 4 on CPUs");
}

TEST_CASE("with weights the CPU CUs get the longest prefix that they run before the GPUs are through",
          "[static-hybrid][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 200; ++round) {
    workload work{.n_tasks = between(rng, 2, 60)};
    for (int t = 0; t < work.n_tasks; ++t) work.weights.push_back(real(rng, 0.1, 10));
    const int cpus = between(rng, 1, 5), gpus = between(rng, 1, 3);
    const double pcf = between(rng, 1, 40) / 4.0;
    const int cpu_tasks = hybrid_counts(work, cpus, gpus, std::to_string(pcf)).cpu;
    double total = 0, cpu_weight = 0;
    for (const double w : work.weights) total += w;
    for (int t = 0; t < cpu_tasks; ++t) cpu_weight += work.weights[static_cast<std::size_t>(t)];
    CAPTURE(cpus, gpus, pcf, cpu_tasks, work.n_tasks);
    REQUIRE(cpu_tasks < work.n_tasks);
    const auto lead = [&](double weight) { return (total - weight) / gpus - weight * pcf / cpus; };
    REQUIRE(lead(cpu_weight) >= -1e-9 * total);
    REQUIRE(lead(cpu_weight + work.weights[static_cast<std::size_t>(cpu_tasks)]) <= 1e-9 * total);
  }
}

TEST_CASE("with weights the shares inside a set differ by at most the heaviest task", "[static-hybrid]") {
  const workload work{.n_tasks = 8, .weights = {1, 1, 1, 1, 1, 1, 1, 7}};
  const auto map = settled_map(*scheduling::make("static-hybrid", work, make_units(2, 0)));
  CHECK(map == std::vector{unit_id{0}, unit_id{0}, unit_id{0}, unit_id{0}, unit_id{0}, unit_id{0}, unit_id{0},
                           unit_id{1}});
}

TEST_CASE("pcf=auto fits the factor in five passes, whatever the launch cost", "[static-hybrid]") {
  const std::vector<unit> units = make_units(2, 1);
  const workload work{.n_tasks = 90};
  const auto plan = scheduling::make("static-hybrid", work, units);
  CHECK(plan->describe().find("not fitted") != std::string::npos);
  const auto passes =
      simulate(*plan, work, 3, linear_time(work, speeds_of(units, {0, 1.0}, {2.0, 0.125})), 8);
  CHECK(settled_from(*plan) == 5);
  CHECK(fitted_pcf(*plan) == Approx(8));
  CHECK(plan->describe() == "static-hybrid: pcf=8 (fitted), 72 tasks on GPUs, 18 on CPUs");
  CHECK(count(passes[4].map, units) == counts{.cpu = 44, .gpu = 46});
  CHECK(count(passes[5].map, units) == counts{.cpu = 18, .gpu = 72});
  CHECK(passes[7].map == settled_map(*plan));
}

TEST_CASE(
    "before anything is measured a processor of a GPU counts as three CPUs, and the GPUs get half at least",
    "[static-hybrid][cost][pool]") {
  const workload work{.n_tasks = 1000};
  std::vector<unit> units = make_units(4, 1);
  for (const char* name : {"static-hybrid", "cost", "pool", "partition"}) {
    const auto gpu_tasks = [&] {
      const auto plan = scheduling::make(name, work, units);
      const auto speeds = linear_time(work, speeds_of(units, {0, 1.0}, {0, 0.1}));
      return count(simulate(*plan, work, 5, speeds, 1).front().map, units).gpu;
    };
    units.front().cpus = 1;
    units.back().processors = 1;
    CHECK(gpu_tasks() == 500);
    units.back().processors = 96;
    CHECK(gpu_tasks() == Approx(1000 * 288 / 292.).margin(3));
    for (unit& u : units) u.cpus = 4;
    CHECK(gpu_tasks() == Approx(1000 * 72 / 76.).margin(3));
    for (unit& u : units) u.cpus = 1;
  }
}

TEST_CASE("an outlier in any one batch does not move the fitted factor", "[static-hybrid][property]") {
  const std::vector<unit> units = make_units(2, 1);
  workload work{.n_tasks = 30};
  for (int t = 0; t < work.n_tasks; ++t) work.weights.push_back(1 + t % 5);
  const batch_time exact = linear_time(work, speeds_of(units, {0.01, 1.0}, {0.5, 0.1}));
  for (int outlier = 0; outlier < 130; ++outlier) {
    int batch_number = 0;
    const auto time = [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
      return exact(unit, pass, batch) * (batch_number++ == outlier ? 50 : 1);
    };
    const auto plan = scheduling::make("static-hybrid,pcf=auto", work, units);
    (void)simulate(*plan, work, 3, time, 7);
    CAPTURE(outlier, plan->describe());
    CHECK(fitted_pcf(*plan) == Approx(10).epsilon(0.25));
  }
}

TEST_CASE("the first pass is cold and does not count", "[static-hybrid]") {
  const std::vector<unit> units = make_units(1, 1);
  const workload work{.n_tasks = 20};
  const batch_time warm = linear_time(work, speeds_of(units, {0, 1.0}, {0, 0.25}));
  const auto time = [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
    return warm(unit, pass, batch) + (pass == 0 ? 1000 : 0);
  };
  const auto plan = scheduling::make("static-hybrid", work, units);
  (void)simulate(*plan, work, 2, time, 6);
  CHECK(fitted_pcf(*plan) == Approx(4));
}

TEST_CASE("without timing pcf=auto and cost keep their first map and say so", "[static-hybrid][cost][pool]") {
  for (const char* name : {"static-hybrid,pcf=auto", "cost", "pool", "partition"}) {
    const workload work{.n_tasks = 12};
    const auto plan = scheduling::make(name, work, make_units(2, 1));
    const record seen = run_with_barriers(*plan, 12, 3, 20, no_time);
    CHECK(settled_from(*plan) == -1);
    CHECK(settled_map(*plan).empty());
    CHECK(plan->describe().find("not fitted") != std::string::npos);
    for (const auto& pass : seen.unit_of) CHECK(pass == seen.unit_of[0]);
  }
}

TEST_CASE("while measuring each kind of unit has a task, even when there are fewer tasks than units",
          "[static-hybrid][cost][pool]") {
  for (const char* name : {"static-hybrid", "cost", "pool", "partition"})
    for (const auto& [cpus, gpus] : {std::pair{4, 1}, std::pair{1, 4}, std::pair{1, 1}}) {
      const std::vector<unit> units = make_units(cpus, gpus);
      const workload work{.n_tasks = 2};
      const auto plan = scheduling::make(name, work, units);
      CAPTURE(name, cpus, gpus);
      const auto passes =
          simulate(*plan, work, cpus + gpus, linear_time(work, speeds_of(units, {0, 1.0}, {0, 0.1})), 6);
      CHECK(count(passes[0].map, units) == counts{.cpu = 1, .gpu = 1});
      CHECK(settled_from(*plan) == 5);
    }
}

TEST_CASE("a unit that lags behind delays the decision but never splits a pass", "[static-hybrid]") {
  const std::vector<unit> units = make_units(2, 1);
  const workload work{.n_tasks = 30};
  const batch_time time = by_weight(work, {1, 1, 0.1});
  const auto plan = scheduling::make("static-hybrid", work, units);
  record seen;
  seen.unit_of.assign(20, std::vector<int>(30, -1));
  agent cpu{.id = unit_id{0}}, late{.id = unit_id{1}}, gpu{.id = unit_id{2}};
  while (cpu.pass < 10) cpu.step(*plan, seen, time);
  while (gpu.pass < 12) gpu.step(*plan, seen, time);
  CHECK(settled_from(*plan) == -1);
  while (late.pass < 5) late.step(*plan, seen, time);
  while (cpu.pass < 20) cpu.step(*plan, seen, time);
  CHECK(settled_from(*plan) == 12);
  while (gpu.pass < 20) gpu.step(*plan, seen, time);
  while (late.pass < 20) late.step(*plan, seen, time);
  CHECK(seen.twice == 0);
  CHECK(seen.missing() == 0);
  CHECK(count(settled_map(*plan), units) == counts{.cpu = 4, .gpu = 26});
}

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

TEST_CASE("no space is given more bytes than it has", "[memory][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 200; ++round) {
    workload work = random_workload(rng);
    std::size_t total = 0;
    for (int t = 0; t < work.n_tasks; ++t) {
      work.bytes.push_back(static_cast<std::size_t>(between(rng, 1, 100)));
      total += work.bytes.back();
    }
    const std::size_t limit = 1 + total / static_cast<std::size_t>(between(rng, 2, 8));
    std::vector<unit> units = make_units(between(rng, 1, 3), between(rng, 1, 3), limit);
    units.push_back(units.back());  // two CUs that share a space
    for (const char* name :
         {"static-hybrid,pcf=40", "static-hybrid", "cost", "pool,pcf=40", "pool", "partition"}) {
      const auto plan = scheduling::make(name, work, units);
      CAPTURE(round, name, limit, work.n_tasks);
      const auto passes = simulate(*plan, work, static_cast<int>(units.size()),
                                   linear_time(work, speeds_of(units, {0, 1.0}, {0, 0.02})), 7);
      for (const simulated_pass& pass : passes) {
        std::vector<std::size_t> used(8);
        for (std::size_t t = 0; t < pass.map.size(); ++t) {
          const unit& u = units[static_cast<std::size_t>(int{pass.map[t]})];
          if (u.memory > 0) used[static_cast<std::size_t>(int{u.space})] += work.bytes[t];
        }
        REQUIRE(*std::max_element(used.begin(), used.end()) <= limit);
      }
    }
  }
}

TEST_CASE("tasks that cannot fit are refused with the numbers", "[memory][errors]") {
  const workload work{.n_tasks = 3, .bytes = {400, 500, 600}};
  for (const char* name : {"static-hybrid,pcf=2", "static-hybrid", "cost", "pool", "partition"}) {
    CAPTURE(name);
    std::string message = "accepted";
    try {
      (void)scheduling::make(name, work, make_units(0, 2, 700));
    } catch (const out_of_memory& e) {
      message = e.what();
      CHECK(e.bytes_wanted() == 1500);
      CHECK(e.bytes_free() == 1400);
    }
    CHECK(
        message.ends_with(": 3 tasks of 1500 bytes together (the largest 600) do not fit into the memory of "
                          "the units: space 1 700 bytes, space 2 700 bytes; use more devices, CPU CUs or a "
                          "smaller problem"));
  }
  CHECK_NOTHROW(scheduling::make("static-hybrid", work, make_units(0, 2, 900)));
  CHECK_NOTHROW(scheduling::make("cost", work, make_units(1, 1, 1)));
}
