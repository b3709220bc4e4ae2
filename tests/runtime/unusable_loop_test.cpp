#include "loop_fixture.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/limit.hpp>
#include <utility>
#include <vector>

#include <yoke/scheduling.hpp>

using yoke::runtime;
using yoke::task_id;
using yoke::task_loop;
using yoke::unit_id;
using yoke::usage_error;

namespace {

/// Every member that throws where a loop cannot be used, each with its name.
std::vector<std::pair<const char*, std::function<void(task_loop&)>>> calls_of_a_loop() {
  static std::ostringstream out;
  return {
      {"task loop", [](task_loop& loop) { (void)loop.get_task(); }},
      {"task loop", [](task_loop& loop) { loop.execute_task(task_id{0}); }},
      {"task loop", [](task_loop& loop) { loop.commit_task(task_id{0}); }},
      {"task loop", [](task_loop& loop) { (void)loop.get_batch(); }},
      {"task loop", [](task_loop& loop) { loop.execute_batch({}); }},
      {"task loop", [](task_loop& loop) { loop.commit_batch({}); }},
      {"task loop", [](task_loop& loop) { loop.exclude(1); }},
      {"task loop", [](task_loop& loop) { (void)loop.pass(); }},
      {"cu_of", [](task_loop& loop) { (void)loop.cu_of(task_id{0}); }},
      {"set_task_time", [](task_loop& loop) { loop.set_task_time(task_id{0}, 1); }},
      {"task_time", [](task_loop& loop) { (void)loop.task_time(task_id{0}); }},
      {"is_apportioned", [](task_loop& loop) { (void)loop.is_apportioned(task_id{0}); }},
      {"set_cu_time", [](task_loop& loop) { loop.set_cu_time(unit_id{0}, 1); }},
      {"cu_time", [](task_loop& loop) { (void)loop.cu_time(unit_id{0}); }},
      {"times_of", [](task_loop& loop) { (void)loop.times_of(unit_id{0}); }},
      {"is_dynamic", [](task_loop& loop) { (void)loop.is_dynamic(); }},
      {"is_dynamic", [](task_loop& loop) { (void)loop.is_static(); }},
      {"print_schedule", [](task_loop& loop) { loop.print_schedule(out); }},
      {"print_task_times", [](task_loop& loop) { loop.print_task_times(out); }},
      {"print_cu_times", [](task_loop& loop) { loop.print_cu_times(out); }},
      {"reset_times", [](task_loop& loop) { loop.reset_times(); }},
      {"prepare", [](task_loop& loop) { (void)loop.prepare(); }},
      {"plan", [](task_loop& loop) { (void)loop.plan(); }},
      {"work", [](task_loop& loop) { (void)loop.work(); }},
  };
}

/// CHECKs that each of them is a usage_error of its name and `why`, and no more.
void check_unusable(task_loop& loop, const std::string& why) {
  for (const auto& [name, call] : calls_of_a_loop()) {
    CAPTURE(name);
    std::string message = "(nothing was thrown)";
    try {
      call(loop);
    } catch (const usage_error& met) {
      message = met.what();
    }
    CHECK_THAT(message, Catch::Equals(std::string{name} + ": " + why));
  }
}

}  // namespace

TEST_CASE("a loop that was moved from says so, whatever is asked of it", "[task_loop]") {
  fixture f;
  task_loop moved = std::move(f.loop);
  task_loop& from = f.loop;
  const std::string why = "the loop has been moved from; use the one that it was moved to";
  check_unusable(from, why);
  CHECK_THROWS_WITH(f.rt.run(from, [](std::span<const task_id>) {}), "run: " + why);
  CHECK(from.is_stopped());
  from.set_timing(false);
  from.on_stop({});
  from = std::move(moved);
  CHECK_NOTHROW(f.rt.run(from, [](std::span<const task_id>) {}));
}

TEST_CASE("a loop whose runtime has ended says so, whatever is asked of it", "[task_loop]") {
  auto rt = std::make_unique<runtime>();
  task_loop loop = rt->make_loop("static", {.n_tasks = n_tasks});
  rt.reset();
  const std::string why = "the runtime of the loop has ended; keep the runtime as long as its loops";
  check_unusable(loop, why);
  CHECK_FALSE(loop.is_stopped());
  runtime next;
  CHECK_THROWS_WITH(next.run(loop, [](std::span<const task_id>) {}), "run: " + why);
}

TEST_CASE("a loop with a schedule of one's own takes no work that one by name would not", "[task_loop]") {
  runtime rt;
  const std::vector<yoke::unit> units(1);
  const auto refusal = [&](std::vector<double> weights) {
    return support::message_of<usage_error>([&] {
      (void)rt.make_loop(yoke::scheduling::make("dynamic", {.n_tasks = 2}, units),
                         {.n_tasks = 2, .weights = std::move(weights)});
    });
  };
  CHECK(support::lacks(refusal({1}), {"workload", "2 tasks", "1 weights"}) == "");
  for (const double weight : {0.0, -1.0, 1e-320, 1e308})
    CHECK_THAT(refusal({1, weight}), Catch::Matchers::Contains("workload: task 1 has weight ") &&
                                         Catch::Matchers::Contains("a number from 1e-200 to 1e+200"));
}

#ifndef YOKE_SANITIZED  // its allocator ends the process
TEST_CASE("a loop of more tasks than memory holds is refused with their number", "[task_loop]") {
  using Catch::Matchers::StartsWith;
  runtime rt;
  const support::limit of_addresses{RLIMIT_AS, support::bytes_of_addresses() + (64 << 20)};
  constexpr int most = std::numeric_limits<int>::max();
  for (const int tasks : {most, most - 1, 100'000'000}) {
    INFO(tasks << " tasks");
    const std::string says = "make_loop: " + std::to_string(tasks) + " tasks of the loop 'cells' need " +
                             std::to_string(20LL * tasks) + " bytes of host memory and more";
    for (const char* const schedule : {"static", "auto", "dynamic", "static-hybrid"})
      CHECK_THAT(support::message_of<yoke::out_of_memory>(
                     [&] { (void)rt.make_loop(schedule, {.n_tasks = tasks, .name = "cells"}); }),
                 StartsWith(says));
    const std::vector<yoke::unit> units(1);
    CHECK_THAT(support::message_of<yoke::out_of_memory>([&] {
                 (void)rt.make_loop(yoke::scheduling::make("static", {.n_tasks = 2}, units),
                                    {.n_tasks = tasks, .name = "cells"});
               }),
               StartsWith(says));
  }
}
#endif
