/// What `auto` finds out of CPU CUs of which nobody has heard.

#include "unheard_cpus.hpp"

#include <yoke/learner.hpp>

using namespace yoke;
using driver::blocks;
using driver::machine;
using driver::of_launch;
using driver::outcome;
using driver::speeds_of;
using driver::uses;

TEST_CASE("auto hears of CPU CUs where each task may be little more than a launch", "[scheduling][auto]") {
  for (const std::size_t bytes : {100'000, 1'000'000}) {
    const blocks::end small = blocks{.bytes = bytes}.run();
    INFO(small.text);
    CHECK(!small.is_on(unit_kind::gpu));
    CHECK(small.part < 0.12);  // 15 us a pass are 0.06
  }
}

TEST_CASE("auto loses little by hearing of CPU CUs that are as slow as their processors promise",
          "[scheduling][auto]") {
  const blocks::end large = blocks{.bytes = 100'000, .of_cpu = 340 * of_launch}.run();
  INFO(large.text);
  CHECK(!large.is_on(unit_kind::cpu));
  CHECK(large.part < 1.1);
}

TEST_CASE("auto does not hear of CPU CUs where tasks keep a GPU busy", "[scheduling][auto]") {
  CHECK(blocks{.bytes = 100'000, .of_gpu = 20 * of_launch}.run().seen.changes == 0);
}

TEST_CASE("auto does not try CPU CUs alone that have told how long they take, however short passes are",
          "[scheduling][auto]") {
  // A pass takes the CPU 10 ms, and the GPU 4 ms all 200.
  const std::vector<unit> units = machine(1, 1, 132);
  const workload work{.n_tasks = 4, .passes = 200};
  const auto plan = scheduling::make("auto", work, units);
  plan->learning()->rehearsed(unit_id{0}, 1, 2.5e-3);
  const outcome end =
      driver::run(*plan, work, 2, linear_time(work, speeds_of(units, {0, 2.5e-3}, {0, 5e-6})), 60);
  INFO(plan->describe());
  CHECK(std::ranges::none_of(end.maps, [&](const auto& map) { return !uses(map, units, unit_kind::gpu); }));
}
