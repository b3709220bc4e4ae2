#include "helpers.hpp"

#include <atomic>
#include <limits>
#include <omp.h>
#include <stdexcept>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>

using yoke::runtime;
using yoke::task_id;
using yoke::task_loop;

namespace {

/// YOKE_CHECK for the runtimes made while it lives.
class checking {
 public:
  explicit checking(const char* value) { yoke::detail::set_environment("YOKE_CHECK", value); }
  ~checking() { yoke::detail::unset_environment("YOKE_CHECK"); }
  checking(const checking&) = delete;
  checking& operator=(const checking&) = delete;
};

/// One pass over three tasks under a schedule that gives `tasks`.
void run_broken(runtime& rt, const std::vector<int>& tasks) {
  std::vector<task_id> given;
  for (const int task : tasks) given.push_back(task_id{task});
  task_loop loop = rt.make_loop(std::make_unique<broken_schedule>(std::move(given)), {.n_tasks = 3});
  rt.run(loop, [](std::span<const task_id>) {});
}

struct no_std_exception {};

}  // namespace

TEST_CASE("a failing run wakes those who wait for one another, and reports the cause", "[runtime]") {
  runtime rt;
  task_loop loop = rt.make_loop("dynamic", {.n_tasks = 8});
  std::atomic<int> woken{0};
  loop.on_stop([&] { ++woken; });
  rt.run(loop, [](auto) {});
  CHECK(woken == 0);
  CHECK_THROWS_AS(rt.run(loop, [](auto) { throw no_std_exception{}; }), no_std_exception);
  CHECK(woken > 0);
}

TEST_CASE("an exception of the body leaves run, of any type", "[runtime]") {
  runtime rt;
  task_loop first = rt.make_loop("dynamic", {.n_tasks = 50});
  CHECK_THROWS_WITH(rt.run(first, [](std::span<const task_id>) { throw std::runtime_error{"no luck"}; }),
                    "no luck");
  task_loop second = rt.make_loop("static", {.n_tasks = 50});
  CHECK_THROWS_AS(rt.run(second, [](std::span<const task_id>) { throw no_std_exception{}; }),
                  no_std_exception);
}

TEST_CASE("after a failure no CU begins another batch, in no later pass either", "[runtime]") {
  runtime rt;
  const int n = rt.units().size();
  task_loop loop = rt.make_loop("dynamic,chunk=1,gpu_chunk=chunk", {.n_tasks = 1000});
  std::atomic<int> after{0};
  std::atomic<bool> failed{false};
  CHECK_THROWS(rt.run(loop, 5, [&](std::span<const task_id>, yoke::pass_id) {
    if (failed) ++after;
    if (!failed.exchange(true)) throw std::runtime_error{"first"};
    while (!loop.is_stopped()) {
    }
  }));
  CHECK(after <= n);  // what the other CUs had in hand when the first failed
}

TEST_CASE("messages call a loop by its name, else by how many tasks it has", "[runtime]") {
  runtime rt;
  task_loop named = rt.make_loop("static", {.n_tasks = 4, .name = "forces"});
  task_loop nameless = rt.make_loop("static", {.n_tasks = 4});
  const auto told = [&](task_loop& loop) {
    return support::message_of<yoke::usage_error>(
        [&] { rt.run(loop, [&](std::span<const task_id>) { loop.commit_task(task_id{3}); }); });
  };
  CHECK_THAT(told(named), Catch::EndsWith("(the loop 'forces')"));
  CHECK_THAT(told(nameless), Catch::EndsWith("(the loop of 4 tasks)"));
  CHECK_THAT(told(named), Catch::Contains("an earlier run of the loop 'forces' failed"));
  CHECK_THAT(support::message_of<yoke::usage_error>([&] { named.cu_of(task_id{9}); }),
             Catch::Contains("no such task; the loop 'forces' has 4 tasks"));
}

TEST_CASE("a loop whose run failed is refused, and the runtime is not", "[runtime]") {
  runtime rt;
  task_loop loop = rt.make_loop("static", {.n_tasks = 4});
  CHECK_THROWS(rt.run(loop, [](std::span<const task_id>) { throw std::runtime_error{"x"}; }));
  CHECK_THROWS_WITH(
      rt.run(loop, [](std::span<const task_id>) {}),
      "run: an earlier run of the loop of 4 tasks failed, and some of its tasks have not been run; make a "
      "new loop");
  task_loop next = rt.make_loop("static", {.n_tasks = 4});
  counts ran{4};
  rt.run(next, [&](std::span<const task_id> batch) { ran.add(batch); });
  CHECK(ran.all(1));
}

TEST_CASE("a body that moves the loop it runs in is found out", "[runtime]") {
  runtime rt;
  if (rt.units().size() > 1) return support::skip("a loop may be moved only while no other CU uses it");
  task_loop loop = rt.make_loop("dynamic", {.n_tasks = 4});
  std::vector<task_loop> taken;
  CHECK_THROWS_WITH(rt.run(loop, [&](std::span<const task_id>) { taken.push_back(std::move(loop)); }),
                    Catch::Contains("the loop has been moved from"));
}

TEST_CASE("a run inside a run or another region is a usage error", "[runtime]") {
  runtime rt;
  task_loop outer = rt.make_loop("static", {.n_tasks = 4});
  task_loop inner = rt.make_loop("static", {.n_tasks = 4});
  const std::string says =
      "run: called inside a parallel region, of a run or of the program; call it outside, where it opens the "
      "outer region itself";
  CHECK_THROWS_WITH(
      rt.run(outer, [&](std::span<const task_id>) { rt.run(inner, [](std::span<const task_id>) {}); }), says);
  std::string refusal;
#pragma omp parallel num_threads(1)
  try {
    rt.run(inner, [](std::span<const task_id>) {});
  } catch (const yoke::usage_error& met) {
    refusal = met.what();
  }
  CHECK(refusal == says);
}

TEST_CASE("a runtime made inside a run or another region is a usage error that says so", "[runtime]") {
  runtime rt;
  task_loop loop = rt.make_loop("static", {.n_tasks = 4});
  const std::string says =
      "runtime: made inside a parallel region, of a run or of the program; make it before the region, and so "
      "before the first query of yoke::cu or yoke::placement in it";
  CHECK_THROWS_WITH(rt.run(loop, [](std::span<const task_id>) { const runtime inner; }), says);
  std::string refusal;
#pragma omp parallel num_threads(1)
  try {
    const runtime inner;
  } catch (const yoke::error& met) {
    refusal = met.what();
  }
  CHECK(refusal == says);
}

TEST_CASE("a number of passes below 0, or that no counter would reach, is refused", "[runtime]") {
  runtime rt;
  task_loop loop = rt.make_loop("static", {.n_tasks = 4});
  const auto run = [&](yoke::pass_id passes) { rt.run(loop, passes, [](auto, yoke::pass_id) {}); };
  CHECK_THROWS_AS(run(-1), yoke::usage_error);
  const std::string accepted = "the number of passes is 0 to 4611686018427387904";
  CHECK_THROWS_WITH(run(-1), "run: -1 passes; " + accepted);
  run(1);
  constexpr auto too_many = std::numeric_limits<yoke::pass_id>::max();
  CHECK_THROWS_AS(run(too_many), yoke::usage_error);
  CHECK_THROWS_WITH(run(too_many), "run: 9223372036854775807 passes; " + accepted);
  CHECK(loop.pass() == 1);
}

TEST_CASE("no passes are run at once, whatever the schedule knows of them", "[runtime]") {
  runtime rt;
  for (const char* const schedule : {"static", "dynamic", "guided", "memorizing", "auto"}) {
    task_loop loop = rt.make_loop(schedule, {.n_tasks = 4});
    int asked = 0;
    rt.run(loop, 0, [](auto, yoke::pass_id) { FAIL(); });
    rt.run(
        loop, 0, [](auto, yoke::pass_id) { FAIL(); },
        [&](yoke::pass_id) {
          ++asked;
          return yoke::pass_id{0};
        });
    CHECK(asked == 1);
    CHECK(loop.pass() == 0);
  }
}

TEST_CASE("a team that OpenMP makes too small is blamed on what makes it so", "[runtime]") {
  CHECK_THAT(yoke::openmp::why_team_is_small(2), Catch::Contains("ulimit -u"));
  const int more = yoke::openmp::thread_limit();
  if (more == std::numeric_limits<int>::max()) return support::skip("OpenMP has no limit of threads");
  CHECK_THAT(yoke::openmp::why_team_is_small(more + 1), Catch::Contains("OMP_THREAD_LIMIT"));
}

// In a process of its own: a team that OpenMP has kept since an earlier run has its threads whatever is said.
TEST_CASE("inner teams that OpenMP makes too small are refused, and not run on one CPU in silence",
          "[.][small-teams]") {
  runtime rt;
  if (rt.units().shape().cpus_per_unit < 2) return support::skip("no unit of several CPUs");
  task_loop loop = rt.make_loop("static", {.n_tasks = 4});
  std::string told;
  std::atomic<int> ran{0};
#pragma omp teams num_teams(1) thread_limit(1)
  told = support::message_of([&] { rt.run(loop, [&](std::span<const task_id>) { ++ran; }); });
  CHECK(ran == 0);
  CHECK_THAT(told, Catch::Contains("thread_limit of an enclosing teams construct"));
}

TEST_CASE("a run needs no level of parallel regions that the program has to allow", "[runtime]") {
  runtime rt;
  task_loop loop = rt.make_loop("static", {.n_tasks = 4});
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(0);
  CHECK_NOTHROW(rt.run(loop, [](std::span<const task_id>) {}));
  CHECK(omp_get_max_active_levels() == 0);
  omp_set_max_active_levels(levels);
}

TEST_CASE("a schedule that loses, repeats or invents tasks is found out", "[runtime]") {
  const checking is{"0"};
  runtime rt;
  CHECK_NOTHROW(run_broken(rt, {0, 1, 2}));
  CHECK_THROWS_WITH(run_broken(rt, {0, 1}), Catch::Contains("handed out 2 tasks in 1 passes over 3"));
  CHECK_THROWS_WITH(run_broken(rt, {0, 1, 2, 2}), Catch::Contains("handed out 4 tasks"));
  CHECK_THROWS_WITH(run_broken(rt, {3}), Catch::Contains("no such task"));
  CHECK_THROWS_WITH(run_broken(rt, {-1}), Catch::Contains("no such task"));
  CHECK_NOTHROW(run_broken(rt, {0, 1, 1}));  // what only the next test finds
}

TEST_CASE("under YOKE_CHECK each task is counted, whatever their number", "[runtime]") {
  const checking is{"1"};
  runtime rt;
  CHECK_NOTHROW(run_broken(rt, {2, 1, 0}));
  CHECK_THROWS_AS(run_broken(rt, {0, 1, 1}), yoke::usage_error);
  CHECK_THROWS_WITH(
      run_broken(rt, {0, 1, 1}),
      Catch::Contains("gave task 1 in pass 0 to CU 0, and CU 0 had") && Catch::Contains("(broken)"));
  CHECK_THROWS_WITH(run_broken(rt, {0, 2}),
                    Catch::Contains("gave task 1 in pass 0 to no CU (2 of 3 tasks were given)"));
  CHECK_THROWS_WITH(run_broken(rt, {3}), Catch::Contains("no such task"));
}

TEST_CASE("a checked loop shows the schedule that it was given", "[runtime]") {
  const checking is{"1"};
  runtime rt;
  task_loop loop = rt.make_loop(std::make_unique<broken_schedule>(std::vector<task_id>{}), {.n_tasks = 0});
  CHECK(dynamic_cast<broken_schedule*>(&loop.plan()) != nullptr);
  task_loop moved = std::move(loop);
  CHECK_NOTHROW(rt.run(moved, [](std::span<const task_id>) {}));
}

TEST_CASE("a checked loop that some CU never asks stays usable for the others", "[runtime]") {
  const checking is{"1"};
  runtime rt;
  task_loop loop = rt.make_loop("dynamic", {.n_tasks = 3});
  counts ran{3};
  for (int pass = 0; pass < 200; ++pass) {  // CU 0, outside of a region
    for (task_id task = loop.get_task(); task != yoke::no_task; task = loop.get_task()) {
      loop.execute_task(task);
      ran.add(task);
      loop.commit_task(task);
    }
  }
  CHECK(ran.all(200));
}

TEST_CASE("a device call that fails inside a run ends the run with a device error", "[runtime]") {
  for (const char* fault : {"fail-launch=1", "fail-launch=3", "fail-copy=1", "fail-copy=2", "memory=8KiB",
                            "lost-after=8", "lost-after=20"}) {
    CAPTURE(fault);
    const support::variable set{"YOKE_EMULATED", fault};
    runtime rt;
    if (rt.units().shape().gpu_units == 0) return support::skip("no GPU CU in this configuration");
    pieces data{16, 1000};
    task_loop loop = rt.make_loop("static", {.n_tasks = 16});
    CHECK_THROWS_AS(rt.run(loop,
                           [&](std::span<const task_id> batch) {
                             for (const task_id task : batch) data.add_one_to(task);
                           }),
                    yoke::error);
  }
}

TEST_CASE("make_loop refuses what no loop can be", "[runtime]") {
  runtime rt;
  CHECK_THROWS_WITH(rt.make_loop(std::unique_ptr<yoke::schedule>{}, {.n_tasks = 1}),
                    Catch::Contains("null pointer"));
  const auto plan = [] { return std::make_unique<broken_schedule>(std::vector<task_id>{}); };
  CHECK_THROWS_AS(rt.make_loop(plan(), {.n_tasks = -1}), yoke::usage_error);
  CHECK_THROWS_WITH(rt.make_loop(plan(), {.n_tasks = 1, .passes = -3}), Catch::Contains("-3 passes planned"));
  CHECK_THROWS_WITH(rt.make_loop(plan(), {.n_tasks = 2, .weights = {1.0}}),
                    Catch::Contains("2 tasks with 1 weights"));
  CHECK_THROWS_WITH(rt.make_loop("fastest", {.n_tasks = 1}), Catch::Contains("fastest"));
}
