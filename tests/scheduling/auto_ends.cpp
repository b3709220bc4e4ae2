/// `auto` at the ends: what it forgets, one pass only, passes of no time, and a clock that jumps.

#include "maps_seen.hpp"

#include <algorithm>
#include <memory>

#include <yoke/learner.hpp>
#include <yoke/simulator.hpp>

using namespace yoke;
using driver::machine;
using driver::speeds_of;

namespace {

/// CPU CUs and a GPU of which each `slower` times as slow as usual, in passes that are told by the clock.
struct changing {
  std::vector<unit> units = machine(8, 1, 30);
  workload work{.n_tasks = 128};
  std::unique_ptr<schedule> plan = scheduling::make("auto", work, units);
  pass_id pass = 0;

  seconds run(int passes, double cpus, double gpu) {
    seconds last = 0;
    for (int p = 0; p < passes; ++p, ++pass) {
      plan->prepare(pass);
      last = 0;
      for (int u = 0; u < 9; ++u) {
        seconds busy = 0;
        for (auto batch = plan->next(unit_id{u}, pass); !batch.empty();
             batch = plan->next(unit_id{u}, pass)) {
          const seconds time = static_cast<double>(batch.size()) * (u < 8 ? 2e-3 * cpus : 2e-4 * gpu);
          plan->done(unit_id{u}, pass, batch, time);
          busy += time;
        }
        // Who asks first gets all of a pool, which others would share.
        last = std::max(last, u < 8 && plan->plan_of(pass).cpus_share ? busy / 8 : busy);
      }
      plan->learning()->ran(pass, 1, last);
    }
    return last;
  }
  long on_gpu() const { return std::ranges::count(plan->plan_of(pass - 1).map, unit_id{8}); }
};

}  // namespace

TEST_CASE("auto forgets all of a machine that has changed, and changed back", "[scheduling][auto]") {
  changing on;
  const seconds before = (on.run(200, 1, 1), on.run(1, 1, 1));
  const long tasks = on.on_gpu();
  CHECK(tasks > 64);
  on.run(400, 1, 4);
  CHECK(on.on_gpu() < tasks);
  on.run(2000, 1, 1);  // as a schedule that has never seen anything else
  CHECK(on.run(1, 1, 1) <= 1.1 * before);
}

TEST_CASE("auto forgets how late CPU CUs once were", "[scheduling][auto]") {
  changing on;
  const long before = (on.run(200, 1, 1), 128 - on.on_gpu());
  on.run(400, 4, 1);
  CHECK(128 - on.on_gpu() < before);
  on.run(2000, 1, 1);
  CHECK(128 - on.on_gpu() >= before * 8 / 10);
}

TEST_CASE("auto runs one pass only with the map of the start", "[scheduling][auto]") {
  const std::vector<unit> units = machine(4, 2, 132);
  const workload work{.n_tasks = 30, .passes = 1};
  const auto plan = scheduling::make("auto", work, units);
  const auto seen = driver::run(*plan, work, 6, linear_time(work, speeds_of(units, {0, 1e-3}, {0, 1e-5})), 1);
  CHECK(seen.maps.size() == 1);
  CHECK(std::ranges::none_of(seen.map, [](unit_id unit) { return int{unit} < 0; }));
  CHECK(plan->describe().find("0 changes of the map") != std::string::npos);
  CHECK(plan->learning()->learnt().maps.empty());
}

TEST_CASE("auto learns nothing from passes that take no time, and gives out every task",
          "[scheduling][auto]") {
  const std::vector<unit> units = machine(3, 1, 132);
  const workload work{.n_tasks = 20};
  const auto plan = scheduling::make("auto", work, units);
  const driver::record seen = driver::run_with_barriers(*plan, 20, 4, 40, driver::no_time);
  CHECK(seen.twice == 0);
  CHECK(seen.missing() == 0);
  for (pass_id pass = 0; pass < 40; ++pass) plan->learning()->ran(pass, 1, 0);
  CHECK(plan->describe().find("0 changes of the map") != std::string::npos);
}

TEST_CASE("auto keeps its map where the clock jumps, forward or back", "[scheduling][auto]") {
  const double jump = GENERATE(1e9, 1e-9, -1.0);
  CAPTURE(jump);
  changing on;
  on.run(200, 1, 1);
  const std::vector<unit_id> before = on.plan->plan_of(on.pass - 1).map;
  on.plan->learning()->ran(on.pass - 1, 1, jump);
  on.run(200, 1, 1);
  CHECK(on.plan->plan_of(on.pass - 1).map == before);
}
