#include "counts.hpp"

#include <cstdio>

#include <yoke/simulator.hpp>

using namespace driver;

namespace {

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
  CHECK(hybrid_counts({.n_tasks = 10}, 2, 1, "1e-200") == counts{.cpu = 10, .gpu = 0});
  CHECK(hybrid_counts({.n_tasks = 10}, 2, 1, "1e200") == counts{.cpu = 0, .gpu = 10});
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
