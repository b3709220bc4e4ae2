#include "helpers.hpp"

#include <atomic>
#include <latch>
#include <mutex>
#include <omp.h>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <thread>

using yoke::pass_id;
using yoke::runtime;
using yoke::task_id;
using yoke::task_loop;

TEST_CASE("run executes every task exactly once in each pass, under every schedule", "[runtime]") {
  runtime rt;
  for (const std::string& name : every_schedule()) {
    for (const int n : {0, 1, 7, 40}) {
      CAPTURE(name, n);
      task_loop loop = rt.make_loop(name, {.n_tasks = n});
      counts ran{n};
      for (int pass = 1; pass <= 3; ++pass) {
        rt.run(loop, [&](std::span<const task_id> batch) { ran.add(batch); });
        CHECK(ran.all(pass));
      }
    }
  }
}

TEST_CASE("a body computes on whatever CU it is called on, where its data is", "[runtime]") {
  runtime rt;
  pieces data{12, 100};
  task_loop loop = rt.make_loop("dynamic", {.n_tasks = 12});
  for (int pass = 0; pass < 3; ++pass) {
    rt.run(loop, [&](std::span<const task_id> batch) {
      for (const task_id task : batch) data.add_one_to(task);
    });
  }
  CHECK(data.all_are(3));
}

TEST_CASE("passes of one run need no barrier and are numbered from the loop's first", "[runtime]") {
  runtime rt;
  for (const std::string& name : every_schedule()) {
    CAPTURE(name);
    task_loop loop = rt.make_loop(name, {.n_tasks = 9});
    std::vector<counts> of_pass;
    for (int i = 0; i < 6; ++i) of_pass.emplace_back(9);
    const auto body = [&](std::span<const task_id> batch, pass_id pass) {
      of_pass[static_cast<std::size_t>(pass)].add(batch);
    };
    rt.run(loop, 4, body);
    rt.run(loop, 2, body);
    for (const counts& each : of_pass) CHECK(each.all(1));
  }
}

TEST_CASE("each CU has one thread, its own number and its kind", "[runtime]") {
  runtime rt;
  const int n = rt.units().size();
  task_loop loop = rt.make_loop(std::make_unique<round_robin>(n, n), {.n_tasks = n});
  std::vector<int> ids(static_cast<std::size_t>(n), -1);
  std::vector<int> gpus(ids);
  rt.run(loop, [&](std::span<const task_id> batch) {
    const auto task = static_cast<std::size_t>(int{batch.front()});
    ids[task] = yoke::cu::cu_id();
    gpus[task] = yoke::cu::is_gpu() ? 1 : 0;
  });
  for (int i = 0; i < n; ++i) {
    CHECK(ids[static_cast<std::size_t>(i)] == i);
    CHECK(gpus[static_cast<std::size_t>(i)] == (i >= yoke::cu::n_cpus() ? 1 : 0));
  }
}

TEST_CASE("threads of an inner region belong to the CU that opened it", "[runtime]") {
  runtime rt;
  const int n = rt.units().size();
  task_loop loop = rt.make_loop(std::make_unique<round_robin>(n, n), {.n_tasks = n});
  std::mutex mutex;
  std::set<std::pair<int, int>> seen;  // task (= CU) and the CU that inner threads report
  std::vector<std::atomic<int>> inner(static_cast<std::size_t>(n));
  rt.run(loop, [&](std::span<const task_id> batch) {
    const int task = batch.front();
#pragma omp parallel num_threads(std::max(1, yoke::cu::n_inner_cpus()))
    {
      ++inner[static_cast<std::size_t>(task)];
      const std::lock_guard lock{mutex};
      seen.insert({task, yoke::cu::cu_id()});
    }
  });
  CHECK(seen.size() == static_cast<std::size_t>(n));
  for (const auto& [task, reported] : seen) CHECK(task == reported);
  for (int i = 0; i < yoke::cu::n_cpus(); ++i) {
    CHECK(inner[static_cast<std::size_t>(i)] == rt.units().shape().cpus_per_unit);
  }
}

TEST_CASE("launch_here covers every item once, few rows or many", "[runtime]") {
  struct mark {
    YOKE_HD void operator()(yoke::item at, yoke::device_ptr<int> seen, std::int64_t width) const {
      ++seen[at.y * width + at.x];
    }
  };
  runtime rt;
  for (const auto [x, y] :
       {std::pair{1, 1}, std::pair{37, 1}, std::pair{5, 3}, std::pair{3, 11}, std::pair{0, 4}}) {
    std::vector<int> seen(static_cast<std::size_t>(x * y) + 1);
    yoke::placement::register_mem(seen.data(), seen.size() * sizeof(int));
    task_loop loop = rt.make_loop("dynamic", {.n_tasks = 1});
    rt.run(loop, [&](std::span<const task_id>) {
      yoke::placement::migrate(seen.data());
      auto* here = static_cast<int*>(yoke::placement::mem_addr(seen.data()));
      yoke::launch_here<mark>({.x = x, .y = y}, "mark", yoke::device_ptr{here}, std::int64_t{x});
    });
    yoke::placement::migrate(seen.data(), yoke::host_space);
    yoke::placement::unregister_mem(seen.data());
    CAPTURE(x, y);
    CHECK(std::count(seen.begin(), seen.end(), 1) == x * y);
  }
}

TEST_CASE("launch_3d_here covers every item once, whatever planes and rows go to a CPU", "[runtime]") {
  struct mark {
    YOKE_HD void operator()(yoke::item_3d at, yoke::view<int, 3> seen) const { ++seen(at.z, at.y, at.x); }
  };
  runtime rt;
  for (const yoke::extent_3d items :
       {yoke::extent_3d{1, 1, 1}, {37, 1, 1}, {5, 3, 2}, {3, 11, 5}, {2, 1, 7}, {4, 0, 2}, {4, 2, 0}}) {
    std::vector<int> seen(static_cast<std::size_t>(items.x * items.y * items.z) + 1);
    yoke::placement::register_mem(seen.data(), seen.size() * sizeof(int));
    task_loop loop = rt.make_loop("dynamic", {.n_tasks = 1});
    rt.run(loop, [&](std::span<const task_id>) {
      const yoke::view<int, 3> here{yoke::placement::migrate_here<int>(seen.data()),
                                    {items.z, items.y, items.x}};
      yoke::launch_3d_here<mark>(items, "mark", here);
    });
    yoke::placement::migrate(seen.data(), yoke::host_space);
    yoke::placement::unregister_mem(seen.data());
    CAPTURE(items.x, items.y, items.z);
    CHECK(std::count(seen.begin(), seen.end(), 1) == items.x * items.y * items.z);
    CHECK(seen.back() == 0);
  }
}

namespace {

/// No raw pointer is a kernel argument; a value that holds one is, and an emulated device runs on the host.
struct shared_latch {
  std::latch* at;
};
struct wait_for_latch {
  YOKE_HD void operator()(yoke::item, shared_latch released) const { released.at->wait(); }
};

}  // namespace

TEST_CASE("outside of a parallel region a region is asked for on the host, whatever the configuration",
          "[runtime]") {
  runtime rt;
  double value = 1;
  yoke::placement::register_mem(&value, sizeof value);
  if (rt.memory().n_spaces() > 1) yoke::placement::migrate(&value, yoke::space_id{1});
  yoke::placement::migrate(&value);
  CHECK(yoke::placement::placement_of(&value) == yoke::host_space);
  CHECK(yoke::placement::mem_addr(&value) == &value);
  yoke::placement::unregister_mem(&value);
}

TEST_CASE(
    "a parallel region of a body has a thread for each CPU of its CU, and the program's own is as before",
    "[runtime]") {
  runtime rt;
  const int before = omp_get_max_threads();
  std::atomic<int> wrong{0};
  rt.each_unit([&](yoke::unit_id unit) {
    std::size_t threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads += 1;
    wrong += threads == rt.units().at(unit).cpus.size() ? 0 : 1;
  });
  CHECK(wrong == 0);
  CHECK(omp_get_max_threads() == before);
}

TEST_CASE("each_unit runs its body once on every unit, and does not wait for GPUs", "[runtime]") {
  runtime rt;
  counts ran{rt.units().size()};
  std::atomic<int> wrong{0};
  std::latch released{1};
  rt.each_unit([&](yoke::unit_id unit) {
    ran.add(task_id{int{unit}});
    if (unit != yoke::cu::cu_id() || &runtime::current() != &rt) ++wrong;
    if (yoke::cu::is_gpu()) yoke::launch_here<wait_for_latch>({.x = 1}, "wait", shared_latch{&released});
  });
  CHECK(ran.all(1));
  CHECK(wrong == 0);
  released.count_down();
  rt.each_unit([](yoke::unit_id) { yoke::cu::synchronize(); });  // the latch is ours
}

TEST_CASE("each_unit rethrows the first exception when nothing runs any more", "[runtime]") {
  runtime rt;
  std::atomic<int> came{0};
  CHECK_THROWS_WITH(rt.each_unit([&](yoke::unit_id unit) {
    ++came;
    if (unit == 0) throw std::runtime_error{"of unit 0"};
  }),
                    "of unit 0");
  CHECK(came == rt.units().size());
  CHECK_THROWS_WITH(rt.each_unit([&](yoke::unit_id) { rt.each_unit([](yoke::unit_id) {}); }),
                    "each_unit: called inside a parallel region, of a run or of the program; call it "
                    "outside, where it opens the outer region itself");
  rt.each_unit([&](yoke::unit_id) { --came; });
  CHECK(came == 0);
}

TEST_CASE("a kernel is launched in parallel regions only", "[runtime]") {
  struct of_planes {
    YOKE_HD void operator()(const yoke::item_3d&, yoke::device_ptr<double>) const {}
  };
  struct of_blocks {
    YOKE_HD void operator()(const yoke::block&, yoke::device_ptr<double>) const {}
  };
  runtime rt;
  double value = 1;
  const std::string says =
      "launch_here: called outside of a parallel region, where there is no unit to launch on; call it in run "
      "or each_unit";
  CHECK_THROWS_WITH(yoke::launch_here<add_one>({.x = 1}, "add_one", yoke::device_ptr{&value}), says);
  CHECK_THROWS_WITH(yoke::launch_3d_here<of_planes>({.x = 1}, "of_planes", yoke::device_ptr{&value}), says);
  CHECK_THROWS_WITH(yoke::launch_blocks_here<of_blocks>({.x = 1}, 0, "of_blocks", yoke::device_ptr{&value}),
                    says);
  yoke::placed<double> x{rt, std::span{&value, 1}};
  CHECK_THROWS_WITH(yoke::launch_here<add_one>({.x = 1}, "add_one", x), says);
}

TEST_CASE("runs of different host threads take turns", "[runtime]") {
  runtime rt;
  std::atomic<int> inside[2] = {0, 0};  // bodies of each host thread's runs
  std::atomic<int> overlaps{0}, passes{0};
  const auto work = [&](int me) {
    task_loop loop = rt.make_loop("static", {.n_tasks = 8});
    // Until both have had some, so that one is not through before the other has begun.
    for (int pass = 0; pass < 20 || passes < 40; ++pass) {
      rt.run(loop, [&](std::span<const task_id>) {
        ++inside[me];
        for (int i = 0; i < 20; ++i) {
          if (inside[1 - me] > 0) ++overlaps;
          std::this_thread::yield();
        }
        --inside[me];
      });
      ++passes;
    }
  };
  std::thread other{work, 1};
  work(0);
  other.join();
  CHECK(overlaps == 0);
}

TEST_CASE("several runtimes with the same places live side by side", "[runtime]") {
  runtime first;
  runtime second;
  task_loop a = first.make_loop("static", {.n_tasks = 5});
  task_loop b = second.make_loop("dynamic", {.n_tasks = 5});
  counts ran{5};
  first.run(a, [&](std::span<const task_id> batch) { ran.add(batch); });
  second.run(b, [&](std::span<const task_id> batch) { ran.add(batch); });
  CHECK(ran.all(2));
  CHECK_THROWS_AS(first.run(b, [](std::span<const task_id>) {}), yoke::usage_error);
}

TEST_CASE("times of CUs and tasks add up", "[runtime]") {
  runtime rt;
  task_loop loop = rt.make_loop("static", {.n_tasks = 10});
  rt.run(loop, [](std::span<const task_id>) { wait_for_clock(); });
  long long tasks = 0;
  for (const yoke::compute_unit& unit : rt.units().all()) {
    yoke::seconds sum = 0;
    for (int t = 0; t < 10; ++t) {
      if (loop.cu_of(task_id{t}) == unit.id) sum += loop.task_time(task_id{t});
    }
    CHECK(loop.cu_time(unit.id) == Approx(sum).margin(0));
    CHECK((loop.cu_time(unit.id) > 0) == (loop.times_of(unit.id).tasks > 0));
    tasks += loop.times_of(unit.id).tasks;
  }
  CHECK(tasks == 10);
  loop.reset_times();
  CHECK(loop.times_of(yoke::unit_id{0}).tasks == 0);
  CHECK(loop.cu_time(yoke::unit_id{0}) == 0);
}
