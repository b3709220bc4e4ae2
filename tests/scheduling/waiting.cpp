/// Loops in which GPU CUs begin a pass with what needs nobody else, and wait for others only then.

#include "maps_seen.hpp"

#include <algorithm>
#include <utility>

#include <yoke/simulated_machine.hpp>
#include <yoke/simulator.hpp>

using namespace driver;

namespace {

std::size_t at(task_id task) { return static_cast<std::size_t>(int{task}); }

simulated_machine machine_of(const std::vector<unit>& units, speed cpu, speed gpu, double noise = 0) {
  simulated_machine made;
  for (const unit& each : units) {
    const bool is_gpu = each.kind == unit_kind::gpu;
    made.units.push_back({.seen = each, .alone = is_gpu ? gpu : cpu, .noise = is_gpu ? 0 : noise});
  }
  return made;
}

/// A CPU CU that runs task 0 in 4 s and in 2 s by turns, beside a GPU CU that needs 3 s for three others, the
/// first of which exchanges with task 0.
struct by_turns {
  std::vector<unit> units = make_units(1, 1);
  workload work{.n_tasks = 4, .edges = {{task_id{0}, task_id{1}, 8}}};
  simulated_machine machine = machine_of(units, {0, 4}, {0, 1});

  explicit by_turns(bool waits_late) {
    work.waits_late = waits_late;
    for (int pass = 1; pass < 4; ++pass)
      machine.changes.push_back({unit_id{0}, pass, pass % 2 == 0 ? 1.0 : 2.0});
  }
  std::vector<simulated_pass> run(schedule& plan) const {
    return simulate(plan, work, machine, {.passes = 4, .order = pass_order::dataflow});
  }
};

/// Much like SP-MZ class D beside an H200 and 15 CPUs, whose times vary.
struct class_d {
  workload work{.n_tasks = 1024, .edges = closed_grid(32, 32), .passes = 200, .warms_up = true};
  std::vector<unit> units = machine(15, 1, 132);
  simulated_machine node = machine_of(units, {0, 3.3e-3}, {2e-5, 9.4e-3 / 1024}, 0.15);

  explicit class_d(bool waits_late) { work.waits_late = waits_late; }
  std::vector<simulated_pass> run(schedule& plan, unsigned seed) {
    node.seed = seed;
    return simulate(plan, work, node,
                    {.passes = 200, .order = pass_order::dataflow, .rehearse = true, .warm_up = true});
  }
};

long on_cpus(const std::vector<unit_id>& map, int n_cpus) {
  return std::ranges::count_if(map, [&](unit_id u) { return int{u} < n_cpus; });
}

}  // namespace

TEST_CASE("a CPU CU that is late by turns holds a GPU up only where that waits first", "[simulator]") {
  const auto [waits_late, ends] = GENERATE(std::pair{false, std::vector<seconds>{4, 7, 11, 14}},
                                           std::pair{true, std::vector<seconds>{4, 6, 10, 12}});
  CAPTURE(waits_late);
  const by_turns both{waits_late};
  const auto plan = scheduling::make("static-hybrid,pcf=3", both.work, both.units);
  const auto passes = both.run(*plan);
  REQUIRE(passes.size() == 4);
  for (std::size_t pass = 0; pass < passes.size(); ++pass) {
    CAPTURE(pass);
    CHECK(passes[pass].end == Approx(ends[pass]));
    CHECK(passes[pass].busy[1] == Approx(3));  // waiting is no work
  }
}

TEST_CASE("a GPU CU that waits late waits for all that it needs, and passes take no longer",
          "[simulator][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  int less = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const std::vector<unit> units = make_units(between(rng, 1, 6), between(rng, 1, 3));
    workload work{.n_tasks = between(rng, 4, 60)};
    for (int e = between(rng, 1, 2 * work.n_tasks); e > 0; --e)
      work.edges.push_back(
          {task_id{between(rng, 0, work.n_tasks - 1)}, task_id{between(rng, 0, work.n_tasks - 1)}, 8});
    simulated_machine machine = machine_of(units, {0, 1}, {0, 1});
    for (int u = 0; u < std::ssize(units); ++u)
      for (int pass = 0; pass < 6; ++pass) machine.changes.push_back({unit_id{u}, pass, real(rng, 0.2, 2)});
    const auto end = [&](pass_order order, bool waits_late) {
      work.waits_late = waits_late;
      std::vector<std::vector<seconds>> ended(6,
                                              std::vector<seconds>(static_cast<std::size_t>(work.n_tasks)));
      simulation_options how{.passes = 6, .order = order};
      how.watcher = [&](const simulated_batch& one) {
        for (const task_id task : one.tasks) ended[static_cast<std::size_t>(one.pass)][at(task)] = one.end;
      };
      const auto plan = scheduling::make("static", work, units);
      const auto seen = simulate(*plan, work, machine, how);
      if (order == pass_order::dataflow)
        for (std::size_t pass = 1; pass < 6; ++pass)
          for (const edge& e : work.edges) {
            REQUIRE(ended[pass][at(e.to)] >= ended[pass - 1][at(e.from)]);
            REQUIRE(ended[pass][at(e.from)] >= ended[pass - 1][at(e.to)]);
          }
      return std::ranges::max(seen, {}, &simulated_pass::end).end;
    };
    const seconds first = end(pass_order::dataflow, false), late = end(pass_order::dataflow, true);
    REQUIRE(late <= first * (1 + 1e-12));
    REQUIRE(end(pass_order::overlapping, false) <= late * (1 + 1e-12));
    less += late < first * (1 - 1e-6) ? 1 : 0;
  }
  CHECK(less > 0);
}

/// Two zones each are 30, and three take longer than the GPU; it waits for none while CPUs are busy for nine
/// tenths.
TEST_CASE("auto gives CPU CUs nearly all that they can do where GPUs wait late, and slack where they do not",
          "[scheduling][auto]") {
  const auto last_half = [](const std::vector<simulated_pass>& of) { return of[199].end - of[99].end; };
  long zones_late = 0, zones_first = 0;
  for (unsigned draw = 1; draw <= 4; ++draw) {
    class_d late{true}, first{false};
    const auto plan = scheduling::make("auto", late.work, late.units);
    const auto passes = late.run(*plan, draw);
    CAPTURE(draw, plan->describe());
    const long zones = on_cpus(passes.back().map, 15);
    CHECK(zones >= 31);
    CHECK(zones <= 38);
    const auto alone = scheduling::make("pool,pcf=100000", late.work, late.units);
    CHECK(last_half(passes) < 0.98 * last_half(late.run(*alone, draw)));
    const auto careful = scheduling::make("auto", first.work, first.units);
    zones_late += zones;
    zones_first += on_cpus(first.run(*careful, draw).back().map, 15);
  }
  CHECK(zones_late >= zones_first + 12);
}

TEST_CASE("where all of a GPU's tasks need some of CPU CUs, auto does as where GPUs wait first",
          "[scheduling][auto]") {
  std::vector<edge> edges;
  for (int cpu = 0; cpu < 15; ++cpu)
    for (int task = 15; task < 1024; ++task) edges.push_back({task_id{cpu}, task_id{task}, 8});
  class_d with{true};
  with.work.edges = edges;
  const auto plan = scheduling::make("auto", with.work, with.units);
  CHECK(on_cpus(with.run(*plan, 1).back().map, 15) <= 30);  // two each, as where GPUs wait first
}
