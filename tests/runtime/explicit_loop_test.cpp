#include "helpers.hpp"

#include <support/catch.hpp>

using yoke::runtime;
using yoke::task_id;
using yoke::task_loop;

TEST_CASE("the paper's explicit loop runs every task exactly once in each pass", "[runtime]") {
  runtime rt;
  pieces data{11, 50};
  for (const char* name : {"static", "dynamic", "memorizing", "cost"}) {
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
  CHECK(data.all_are(12));
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
