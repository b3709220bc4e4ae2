#include "driver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <yoke/learner.hpp>
#include <yoke/profile.hpp>
#include <yoke/simulator.hpp>

using namespace yoke;

namespace {

const workload sixty{.n_tasks = 60};

/// Three CPU CUs beside two GPU CUs, which take `gpu` times 0.1 s for a task.
std::vector<unit> units() { return driver::make_units(3, 2); }
std::vector<speed> true_speeds(double gpu) {
  return driver::speeds_of(units(), {.launch = 0, .per_weight = 1}, {.launch = 0.2, .per_weight = 0.1 * gpu});
}

struct profiled_run {
  profile learnt;
  std::string described;
  std::vector<unit_id> first, last;  ///< maps
};

profiled_run run(const profile& earlier, std::span<const speed> speeds, int passes = 50) {
  const std::unique_ptr<schedule> plan = scheduling::make("auto", sixty, units());
  plan->learning()->recall(earlier);
  profiled_run seen;
  seen.first = plan->plan_of(0).map;
  const auto passed = simulate(*plan, sixty, 5, linear_time(sixty, {speeds.begin(), speeds.end()}), passes);
  seen.learnt = plan->learning()->learnt();
  seen.described = plan->describe();
  seen.last = plan->plan_of(passes - 1).map;
  return seen;
}

profile after(std::span<const aged_profile> runs) { return merged(runs, sixty, units()); }

int tasks_of_gpus(const std::vector<unit_id>& map) {
  return static_cast<int>(std::ranges::count_if(map, [](unit_id unit) { return unit >= 3; }));
}

/// As if everything on this GPU had taken so many times as long.
profile with_slow_gpus(profile from, double factor) {
  for (std::size_t u = 3; u < 5; ++u)
    for (speed* line : {&from.units[u].usual, &from.units[u].careful})
      *line = {.launch = factor * line->launch, .per_weight = factor * line->per_weight};
  from.maps = {{.use = "cpus", .number = 60, .pass = 20, .error = 0.01}};
  return from;
}

}  // namespace

TEST_CASE("a second run of auto begins with the map that the first one ended with, and keeps it",
          "[scheduling][profile]") {
  const auto factor = GENERATE(0.2, 1.0, 3.0);
  CAPTURE(factor);
  const profiled_run first = run({}, true_speeds(factor));
  REQUIRE(first.learnt.units.size() == 5);
  CHECK(first.first != first.last);
  const std::vector<aged_profile> runs{{first.learnt, 0}};
  const profiled_run second = run(after(runs), true_speeds(factor));
  CHECK(second.first == first.last);
  CHECK(second.last == first.last);
  CHECK(second.described.find("; 0 changes of the map") != std::string::npos);
}

TEST_CASE("a second run of auto needs no rehearsal", "[scheduling][profile]") {
  const profile learnt = run({}, true_speeds(1)).learnt;
  const std::unique_ptr<schedule> plan = scheduling::make("auto", sixty, units());
  CHECK(plan->learning()->wants_rehearsal());
  plan->learning()->recall(after(std::vector<aged_profile>{{learnt, 0}}));
  CHECK_FALSE(plan->learning()->wants_rehearsal());
}

TEST_CASE("what auto has learnt are the speeds that units have", "[scheduling][profile]") {
  const std::vector<speed> speeds = true_speeds(1);
  const profile learnt = run({}, speeds).learnt;
  for (std::size_t u = 0; u < 5; ++u) {
    const unit_profile& one = learnt.units[u];
    REQUIRE(one.is_known());
    const double share = u < 3 ? 1 : 26;  // about what it has had
    CHECK(one.usual.launch + share * one.usual.per_weight ==
          Approx(speeds[u].launch + share * speeds[u].per_weight).epsilon(0.05));
    CHECK(one.careful.per_weight >= one.usual.per_weight);
  }
  REQUIRE_FALSE(learnt.maps.empty());
  for (const map_profile& one : learnt.maps) CHECK(one.pass > 0);
}

TEST_CASE("where there is nothing to choose, nothing is learnt", "[scheduling][profile]") {
  const auto cpus = driver::make_units(3, 0);
  const std::unique_ptr<schedule> plan = scheduling::make("auto", sixty, cpus);
  simulate(*plan, sixty, 3, linear_time(sixty, {3, speed{.launch = 0, .per_weight = 1}}), 9);
  CHECK(plan->learning()->learnt().is_empty());
}

TEST_CASE("one bad run does not idle a GPU", "[scheduling][profile]") {
  const profile good = run({}, true_speeds(0.2)).learnt, bad = with_slow_gpus(good, 1000);
  SECTION("as the only run: the next one finds out") {
    const std::vector<aged_profile> runs{{bad, 0}};
    const profiled_run next = run(after(runs), true_speeds(0.2));
    CHECK(tasks_of_gpus(next.first) >= 30);
    CHECK(tasks_of_gpus(next.last) > 30);
    CHECK(next.learnt.units[3].usual.per_weight < 1);
  }
  SECTION("as the newest of two or four") {
    const std::vector<aged_profile> two{{bad, 0}, {good, 5}}, four{{bad, 0}, {bad, 1}, {good, 5}, {good, 6}};
    CHECK(after(two).units[3].usual.per_weight == good.units[3].usual.per_weight);
    CHECK(after(four).units[4].usual.per_weight == good.units[4].usual.per_weight);
    CHECK(tasks_of_gpus(run(after(two), true_speeds(0.2), 1).first) > 30);
  }
}

TEST_CASE("a GPU that two runs found too slow gets no tasks from the first pass on",
          "[scheduling][profile]") {
  const profile first = run({}, true_speeds(1000)).learnt;
  const std::vector<aged_profile> runs{{first, 0}, {first, 0}};
  const profiled_run third = run(after(runs), true_speeds(1000));
  CHECK(tasks_of_gpus(third.first) == 0);
  CHECK(tasks_of_gpus(third.last) == 0);
}

TEST_CASE("auto finds a better map where the machine is not the one of its profile",
          "[scheduling][profile]") {
  const profile before = run({}, true_speeds(20)).learnt;
  const std::vector<aged_profile> runs{{before, 0}, {before, 0}};
  const profiled_run now = run(after(runs), true_speeds(0.2), 200);
  CHECK(tasks_of_gpus(now.last) > tasks_of_gpus(now.first));
}

TEST_CASE("of a unit or a map that a run did not use it has learnt nothing", "[scheduling][profile]") {
  const profile first = run({}, true_speeds(1000)).learnt;
  const std::vector<aged_profile> runs{{first, 0}, {first, 0}};
  const profile third = run(after(runs), true_speeds(1000)).learnt;
  CHECK_FALSE(third.units[3].is_known());
  CHECK(third.units[0].is_known());
  REQUIRE(third.maps.size() == 1);
  CHECK(third.maps[0].use == "cpus");
}

TEST_CASE("old runs count less, and after half a year for nothing", "[scheduling][profile]") {
  profile slow, fast;
  slow.units.assign(5, {.usual = {.launch = 0, .per_weight = 2}, .careful = {.launch = 0, .per_weight = 2}});
  fast.units.assign(5, {.usual = {.launch = 0, .per_weight = 1}, .careful = {.launch = 0, .per_weight = 1}});
  const std::vector<aged_profile> was_fast{{slow, 0}, {fast, 100}}, long_ago{{slow, 0}, {fast, 181}},
      all_old{{slow, 200}, {fast, 181}};
  CHECK(after(was_fast).units[0].usual.per_weight == 2);
  CHECK(after(was_fast).units[0].runs == 2);
  CHECK(after(long_ago).units[3].usual.per_weight == 2);
  CHECK(after(long_ago).units[3].runs == 1);
  CHECK(after(all_old).is_empty());
}

TEST_CASE("a profile of other units or with strange maps does not stop auto", "[scheduling][profile]") {
  profile strange = run({}, true_speeds(1)).learnt;
  SECTION("other units") { strange.units.pop_back(); }
  SECTION("maps of nobody") {
    strange.maps = {
        {.use = "moon", .number = 1, .pass = 1, .error = 0},
        {.use = "both-kinds", .number = 60, .pass = 1, .error = 0},
        {.use = "one-gpu", .number = 0, .pass = 1, .error = 0},
        {.use = "gpus", .number = 0, .pass = std::numeric_limits<double>::quiet_NaN(), .error = 0},
        {.use = "cpus", .number = 3, .pass = -1, .error = 0}};
  }
  const profiled_run seen = run(strange, true_speeds(1));
  CHECK(seen.last.size() == 60);
}
