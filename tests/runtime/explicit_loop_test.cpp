#include "helpers.hpp"

#include <support/catch.hpp>
#include <thread>

using yoke::runtime;
using yoke::task_id;
using yoke::task_loop;

TEST_CASE("the paper's explicit loop runs every task exactly once in each pass", "[runtime]") {
  runtime rt;
  pieces data{11, 50};
  const std::vector<std::string> specs = every_schedule();
  for (const std::string& name : specs) {
    task_loop loop = rt.make_loop(name, {.n_tasks = 11});
    counts ran{11};
    for (int pass = 1; pass <= 3; ++pass) {
#pragma omp parallel num_threads(yoke::cu::n_cus())
      {
        task_id task = loop.get_task();
        while (task != yoke::no_task) {
          yoke::placement::migrate(data.home(task));
          loop.execute_task(task);
          data.add_one_to(task);
          ran.add(task);
          if (yoke::cu::is_gpu()) yoke::cu::synchronize();
          loop.commit_task(task);
          task = loop.get_task();
        }
      }
      CAPTURE(name, pass);
      CHECK(ran.all(pass));
    }
  }
  CHECK(data.all_are(3 * static_cast<double>(specs.size())));
}

TEST_CASE("explicit passes and runs alternate", "[runtime]") {
  runtime rt;
  task_loop loop = rt.make_loop("memorizing", {.n_tasks = 6});
  counts ran{6};
  for (int pass = 0; pass < 4; ++pass) {
    if (pass % 2 == 0) {
      rt.run(loop, [&](std::span<const task_id> batch) { ran.add(batch); });
      continue;
    }
#pragma omp parallel num_threads(yoke::cu::n_cus())
    for (task_id task = loop.get_task(); task != yoke::no_task; task = loop.get_task()) {
      loop.execute_task(task);
      ran.add(task);
      loop.commit_task(task);
    }
  }
  CHECK(ran.all(4));
}

TEST_CASE("a pass that only some CUs have finished is not overtaken by a run", "[runtime]") {
  runtime rt;
  if (rt.units().size() < 2) return support::skip("one CU has no other");
  task_loop loop = rt.make_loop("static", {.n_tasks = 0});
  CHECK(loop.get_task() == yoke::no_task);  // CU 0 alone has had its pass
  CHECK_THROWS_WITH(rt.run(loop, [](std::span<const task_id>) {}),
                    Catch::Contains("CU 1 is in pass 0 and CU 0 in pass 1"));
}

namespace {

/// One explicit pass in which CU 0 asks first and all others are late on purpose. Whether they had all come
/// when CU 0 got its first task.
bool first_waits_for_late_ones(runtime& rt, task_loop& loop) {
  std::atomic<int> asking{0};
  std::atomic<bool> waited{false};
#pragma omp parallel num_threads(rt.units().size())
  {
    if (yoke::cu::cu_id() > 0) {
      while (asking == 0) std::this_thread::yield();
      for (int turn = 0; turn < 3; ++turn) std::this_thread::yield();
    }
    ++asking;
    task_id task = loop.get_task();
    if (yoke::cu::cu_id() == 0) waited = asking == rt.units().size();
    for (; task != yoke::no_task; task = loop.get_task()) {
      loop.execute_task(task);
      loop.commit_task(task);
    }
  }
  return waited;
}

}  // namespace

TEST_CASE("no CU is given a task of a pass whose map is open before all are there", "[runtime]") {
  runtime rt;
  if (rt.units().size() < 2) return support::skip("one CU has nobody to wait for");
  for (const char* name : {"memorizing", "dynamic", "guided"}) {
    task_loop loop = rt.make_loop(name, {.n_tasks = 37});
    CAPTURE(name);
    CHECK(first_waits_for_late_ones(rt, loop));
    if (loop.prepare().is_open()) CHECK(first_waits_for_late_ones(rt, loop));
  }
}

TEST_CASE("a CU that never asks keeps nobody from running all tasks", "[runtime]") {
  runtime rt;
  const auto run_all = [](task_loop& loop, counts& ran) {
    for (task_id task = loop.get_task(); task != yoke::no_task; task = loop.get_task()) {
      loop.execute_task(task);
      ran.add(task);
      loop.commit_task(task);
    }
  };
  task_loop one = rt.make_loop("dynamic", {.n_tasks = 5}), two = rt.make_loop("dynamic", {.n_tasks = 5});
  counts of_one{5}, of_two{5};
#pragma omp parallel num_threads(rt.units().size())
  {
    if (yoke::cu::cu_id() == 0) run_all(one, of_one);  // alone
#pragma omp barrier
    run_all(yoke::cu::cu_id() == 0 ? two : one, yoke::cu::cu_id() == 0 ? of_two : of_one);
    run_all(yoke::cu::cu_id() == 0 ? one : two, yoke::cu::cu_id() == 0 ? of_one : of_two);
  }
  CHECK(of_two.all(1));
  CHECK(of_one.all(2));
}
