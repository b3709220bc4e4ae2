// The primitives one by one, called outside of a region: the caller is CU 0.
#include "loop_fixture.hpp"

#include <sstream>
#include <string>
#include <support/catch.hpp>
#include <utility>
#include <vector>

using yoke::pass_id;
using yoke::pass_plan;
using yoke::runtime;
using yoke::schedule;
using yoke::task_id;
using yoke::task_loop;
using yoke::unit_id;
using yoke::usage_error;

TEST_CASE("get, execute and commit walk through the batches of a pass, task by task", "[task_loop]") {
  fixture f;
  for (int pass = 0; pass < 2; ++pass) {
    CHECK(f.loop.pass() == pass);
    for (const int expected : {0, 2, 4, 6}) {
      const task_id task = f.loop.get_task();
      CHECK(task == expected);
      f.loop.execute_task(task);
      f.loop.commit_task(task);
      CHECK(f.loop.cu_of(task) == 0);
    }
    CHECK(f.loop.get_task() == yoke::no_task);
  }
  CHECK(f.loop.times_of(unit_id{0}).tasks == 8);
  CHECK(f.loop.cu_of(task_id{1}) == -1);
}

TEST_CASE("a schedule hears of a batch once, when its last task is committed", "[task_loop]") {
  fixture f;
  const auto run_one = [&] {
    const task_id task = f.loop.get_task();
    f.loop.execute_task(task);
    wait_for_clock();
    f.loop.commit_task(task);
  };
  run_one();
  CHECK(f.plan->batches_done == 0);
  run_one();
  CHECK(f.plan->batches_done == 1);
  CHECK(f.plan->tasks_done == 2);
  const yoke::seconds sum = f.loop.task_time(task_id{0}) + f.loop.task_time(task_id{2});
  CHECK(sum > 0);
  CHECK(f.plan->last_time == Approx(sum).margin(0));
  CHECK_FALSE(f.loop.is_apportioned(task_id{0}));
}

TEST_CASE("time spent waiting for another CU is neither the task's nor busy time", "[task_loop]") {
  fixture f;
  const auto batch = f.loop.get_batch();
  f.loop.execute_batch(batch);
  f.loop.exclude(yoke::ticks{1} << 40);
  f.loop.commit_batch(batch);
  CHECK(f.loop.task_time(task_id{0}) == 0);
  CHECK(f.loop.cu_time(unit_id{0}) == 0);
  const auto next = f.loop.get_batch();
  f.loop.execute_batch(next);
  wait_for_clock();
  f.loop.commit_batch(next);
  CHECK(f.loop.cu_time(unit_id{0}) > 0);  // only the batch that waited was excluded
}

TEST_CASE("a batch's time is shared out by weight and marked", "[task_loop]") {
  fixture f{{1, 1, 3, 1, 1, 1, 1, 1}};
  const auto batch = f.loop.get_batch();
  REQUIRE(batch.size() == 2);
  f.loop.execute_batch(batch);
  wait_for_clock();
  f.loop.commit_batch(batch);
  CHECK(f.plan->last_time > 0);
  CHECK(f.loop.task_time(task_id{2}) == Approx(3 * f.loop.task_time(task_id{0})));
  CHECK(f.loop.task_time(task_id{0}) + f.loop.task_time(task_id{2}) == Approx(f.plan->last_time));
  CHECK(f.loop.is_apportioned(task_id{0}));
  CHECK(f.loop.cu_time(unit_id{0}) == Approx(f.plan->last_time));
}

TEST_CASE("without timing no time is taken and the schedule is told 0", "[task_loop]") {
  fixture f;
  f.loop.set_timing(false);
  f.loop.set_task_time(task_id{0}, 7);
  const auto batch = f.loop.get_batch();
  f.loop.execute_batch(batch);
  f.loop.commit_batch(batch);
  CHECK(f.loop.task_time(task_id{0}) == 7);
  CHECK(f.loop.cu_time(unit_id{0}) == 0);
  CHECK(f.plan->last_time == 0);
  CHECK(f.loop.times_of(unit_id{0}).tasks == 2);
}

TEST_CASE("primitives out of order are usage errors that say what the CU has in hand", "[task_loop]") {
  fixture f;
  task_loop& loop = f.loop;
  using Catch::Contains;
  CHECK_THROWS_WITH(loop.commit_task(task_id{0}),
                    Contains("commit_task(0) on CU 0, which has no task in hand"));
  CHECK_THROWS_WITH(loop.execute_task(task_id{0}), Contains("has no task in hand"));
  const task_id task = loop.get_task();
  CHECK_THROWS_WITH(loop.get_task(), Contains("has fetched task 0 and not started it"));
  CHECK_THROWS_WITH(loop.commit_task(task), Contains("has fetched task 0"));
  CHECK_THROWS_WITH(loop.execute_task(task_id{1}), Contains("execute_task(1)"));
  loop.execute_task(task);
  CHECK_THROWS_WITH(loop.execute_task(task), Contains("is running task 0"));
  CHECK_THROWS_WITH(loop.commit_task(task_id{2}),
                    Contains("commit_task(2) on CU 0, which is running task 0"));
  loop.commit_task(task);
  CHECK_THROWS_WITH(loop.commit_task(task), Contains("1 tasks left of a batch begun with get_task"));
  CHECK_THROWS_AS(loop.get_batch(), usage_error);
  CHECK_THROWS_WITH(f.rt.run(loop, [](std::span<const task_id>) {}), Contains("CU 0 has 1 tasks left"));
  CHECK(loop.get_task() == 2);  // nothing of this disturbed the loop
}

TEST_CASE("batches out of order are usage errors", "[task_loop]") {
  fixture f;
  task_loop& loop = f.loop;
  const auto batch = loop.get_batch();
  CHECK_THROWS_AS(loop.commit_batch(batch), usage_error);
  CHECK_THROWS_AS(loop.get_batch(), usage_error);
  CHECK_THROWS_AS(loop.get_task(), usage_error);
  CHECK_THROWS_AS(loop.execute_task(batch.front()), usage_error);
  CHECK_THROWS_AS(loop.execute_batch(batch.first(1)), usage_error);
  loop.execute_batch(batch);
  CHECK_THROWS_AS(loop.commit_batch({}), usage_error);
  loop.commit_batch(batch);
  CHECK(f.plan->batches_done == 1);
}

TEST_CASE("unknown tasks and CUs are refused with the range", "[task_loop]") {
  fixture f;
  CHECK_THROWS_WITH(f.loop.task_time(task_id{8}),
                    Catch::Contains("task_time(8)") && Catch::Contains("8 tasks"));
  CHECK_THROWS_AS(f.loop.cu_of(task_id{-1}), usage_error);
  CHECK_THROWS_AS(f.loop.set_task_time(task_id{99}, 1), usage_error);
  CHECK_THROWS_WITH(f.loop.cu_time(unit_id{2}),
                    Catch::Contains("cu_time(2)") && Catch::Contains("1x1+1 has 2"));
  CHECK_THROWS_AS(f.loop.set_cu_time(unit_id{-1}, 0), usage_error);
}

TEST_CASE("times can be set by the program", "[task_loop]") {
  fixture f;
  f.loop.set_task_time(task_id{3}, 0.25);
  f.loop.set_cu_time(unit_id{1}, 0.5);
  CHECK(f.loop.task_time(task_id{3}) == 0.25);
  CHECK(f.loop.cu_time(unit_id{1}) == 0.5);
}

TEST_CASE("static and dynamic are told apart", "[task_loop]") {
  runtime rt;
  CHECK(rt.make_loop("memorizing", {.n_tasks = 1}).is_dynamic());
  CHECK(rt.make_loop("static", {.n_tasks = 1}).is_static());
}

namespace {

/// All tasks to CU 0, and the passes that it was told to prepare for.
class prepared_schedule final : public schedule {
 public:
  explicit prepared_schedule(std::vector<pass_id>& prepared) : prepared_{prepared} {}
  std::span<const task_id> next(unit_id unit, pass_id pass) override {
    if (unit != 0 || std::exchange(last_, pass) == pass) return {};
    return tasks_;
  }
  std::string describe() const override { return "prepared"; }
  void prepare(pass_id pass) override { prepared_.push_back(pass); }
  pass_plan plan_of(pass_id pass) const override {
    if (prepared_.empty() || pass > prepared_.back()) return {};
    return {.map = {unit_id{0}}, .until = pass + 1};
  }

 private:
  std::vector<pass_id>& prepared_;
  std::vector<task_id> tasks_{task_id{0}};
  pass_id last_ = -1;
};

}  // namespace

TEST_CASE("a schedule is prepared before the first pass of each run, and when the program asks",
          "[task_loop]") {
  runtime rt;
  std::vector<pass_id> prepared;
  task_loop loop = rt.make_loop(std::make_unique<prepared_schedule>(prepared), {.n_tasks = 1});
  CHECK(loop.is_dynamic());  // nothing is known yet
  CHECK(loop.prepare().map == std::vector{unit_id{0}});
  CHECK(loop.is_static());
  rt.run(loop, 3, [](std::span<const task_id>, pass_id) {});
  CHECK(loop.prepare().until == 4);
  rt.run(loop, [](std::span<const task_id>) {});
  CHECK(prepared == std::vector<pass_id>{0, 0, 3, 3});
}

TEST_CASE("the printed schedule and times name every task and CU", "[task_loop]") {
  fixture f;
  f.rt.run(f.loop, [](std::span<const task_id>) {});
  f.loop.set_task_time(task_id{3}, 0.25);
  f.loop.set_cu_time(unit_id{0}, 3);
  f.loop.set_cu_time(unit_id{1}, 1);
  std::ostringstream out;
  f.loop.print_schedule(out);
  CHECK(out.str() == "round-robin\nCU 0 (CPU): 4 tasks: 0, 2, 4, 6\nCU 1 (GPU): 4 tasks: 1, 3, 5, 7\n");
  out.str("");
  f.loop.print_cu_times(out);
  CHECK(out.str() ==
        "CU  kind   tasks      seconds  share\n 0  CPU        4    3.000e+00    75%\n 1  GPU        4    "
        "1.000e+00    25%\n");
  out.str("");
  f.loop.print_task_times(out);
  CHECK_THAT(out.str(), Catch::Contains("   3   1    2.500e-01\n"));
}

TEST_CASE("a map that is known before the first pass is printed, and what is not, as not run",
          "[task_loop]") {
  runtime rt;
  std::ostringstream out;
  rt.make_loop("static", {.n_tasks = 5}).print_schedule(out);
  CHECK_THAT(out.str(),
             Catch::Contains("CU 0 (CPU): 3 tasks: 0-2\n") && Catch::Contains("CU 1 (GPU): 2 tasks: 3-4\n"));
  out.str("");
  rt.make_loop("dynamic", {.n_tasks = 5}).print_schedule(out);
  CHECK_THAT(out.str(), Catch::Contains("not run yet: 0-4\n"));
}

TEST_CASE("of thousands of tasks that alternate the printed schedule has some, and how many more",
          "[task_loop]") {
  runtime rt;
  task_loop loop = rt.make_loop(std::make_unique<round_robin>(4000, rt.units().size()), {.n_tasks = 4000});
  rt.run(loop, [](std::span<const task_id>) {});
  std::ostringstream out;
  loop.print_schedule(out);
  CHECK_THAT(out.str(), Catch::Contains("CU 0 (CPU): 2000 tasks: 0, 2, 4, ") &&
                            Catch::Contains(", 28, 30, and 1984 more up to 3998\n") &&
                            Catch::Contains(", 29, 31, and 1984 more up to 3999\n"));
}

TEST_CASE("a loop can be moved between passes", "[task_loop]") {
  fixture f;
  task_loop moved = std::move(f.loop);
  counts ran{n_tasks};
  f.rt.run(moved, [&](std::span<const task_id> batch) { ran.add(batch); });
  CHECK(ran.all(1));
}

TEST_CASE("every execution is kept where that was asked for, by task and pass", "[task_loop]") {
  fixture f{{1, 2, 3, 4, 5, 6, 7, 8}};
  const auto pass = [&] { f.rt.run(f.loop, [](std::span<const task_id>) {}); };
  pass();
  CHECK(f.loop.samples().empty());
  f.loop.keep_samples(true);
  pass();
  pass();
  const auto kept = f.loop.samples();
  REQUIRE(kept.size() == 2 * n_tasks);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    CHECK(kept[i].task == static_cast<int>(i / 2));
    CHECK(kept[i].pass == 1 + static_cast<pass_id>(i % 2));
    CHECK(kept[i].unit == f.loop.cu_of(kept[i].task));
    CHECK(kept[i].is_apportioned == f.loop.is_apportioned(kept[i].task));
    CHECK(kept[i].time >= 0);
    if (i % 2 == 1) CHECK(kept[i].time == f.loop.task_time(kept[i].task));
  }
  f.loop.set_timing(false);
  pass();
  CHECK(f.loop.samples().size() == kept.size());
  f.loop.keep_samples(false);
  CHECK(f.loop.samples().empty());
}
