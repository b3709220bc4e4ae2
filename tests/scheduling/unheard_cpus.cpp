/// CPU CUs of which nobody has heard beside a GPU: what their processors promise may be far too little.

#include "maps_seen.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <yoke/learner.hpp>
#include <yoke/simulator.hpp>

using namespace yoke;
using driver::machine;
using driver::outcome;
using driver::speeds_of;
using driver::uses;

namespace {

constexpr seconds of_launch = 6.5e-6;

/// Jacobi's method in 40 blocks beside an H200 and 15 CPUs: each block is a kernel, which takes a launch
/// however small it is.
struct blocks {
  std::size_t bytes = 0;  ///< 0: the program does not say
  pass_id passes = 200;
  seconds of_gpu = of_launch;
  seconds of_cpu = 5e-6;

  static constexpr int n = 40;

  struct end {
    outcome seen;
    std::string text;
    double part = 0;  ///< of what the GPU alone takes
    bool is_on(unit_kind kind) const { return uses(seen.map, units(), kind); }
  };

  static std::vector<unit> units() { return machine(15, 1, 132); }

  end run() const {
    workload work{.n_tasks = n};
    if (bytes > 0) work.bytes.assign(n, bytes);
    const auto plan = scheduling::make("auto", work, units());
    const batch_time usual = linear_time(work, speeds_of(units(), {0, of_cpu}, {0, of_gpu}));
    std::vector<std::vector<seconds>> busy(static_cast<std::size_t>(passes), std::vector<seconds>(16));
    end found;
    found.seen = driver::run(
        *plan, work, 16,
        [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
          const seconds time = usual(unit, pass, batch);
          busy[static_cast<std::size_t>(pass)][static_cast<std::size_t>(int{unit})] += time;
          return time;
        },
        static_cast<int>(passes));
    for (const auto& of_pass : busy) found.part += std::ranges::max(of_pass);
    found.part /= static_cast<double>(passes) * n * of_gpu;
    found.text = plan->describe();
    return found;
  }
};

}  // namespace

TEST_CASE("auto hears of CPU CUs where each task may be little more than a launch", "[scheduling][auto]") {
  const blocks::end small = blocks{.bytes = 100'000}.run();
  INFO(small.text);
  CHECK(!small.is_on(unit_kind::gpu));
  CHECK(small.seen.changes <= 2);
  CHECK(small.part < 0.12);  // 15 us a pass are 0.06
}

TEST_CASE("auto loses little by hearing of CPU CUs that are as slow as their processors promise",
          "[scheduling][auto]") {
  const blocks::end large = blocks{.bytes = 100'000, .of_cpu = 340 * of_launch}.run();
  INFO(large.text);
  CHECK(!large.is_on(unit_kind::cpu));
  CHECK(large.seen.changes == 2);
  CHECK(large.part < 1.1);
}

TEST_CASE("auto does not hear of CPU CUs where tasks keep a GPU busy or share launches",
          "[scheduling][auto]") {
  CHECK(blocks{.bytes = 100'000, .of_gpu = 20 * of_launch}.run().seen.changes == 0);
  CHECK(blocks{.bytes = 100'000, .of_gpu = of_launch / 4}.run().seen.changes == 0);
}

TEST_CASE("auto hears of CPU CUs late where much is moved for it, or as much as a GPU might have read",
          "[scheduling][auto]") {
  CHECK(blocks{.bytes = 1'000'000}.run().seen.changes == 0);  // 7.5 ms of 52
  CHECK(blocks{.bytes = 1'000'000, .passes = 600}.run().seen.changes > 0);
  CHECK(blocks{.passes = 8'000}.run().seen.changes == 0);
  CHECK(blocks{.passes = 20'000}.run().seen.changes > 0);
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
