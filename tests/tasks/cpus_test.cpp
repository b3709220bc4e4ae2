// Tasks on several CPU CUs at once.
#include "kernels.hpp"

#include <atomic>
#include <omp.h>
#include <sched.h>
#include <set>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using yoke::task_context;
using yoke::task_group;

int cpus_of_all(const yoke::runtime& rt, const task_group& g) {
  int n_cpus = 0;
  for (const yoke::unit_id each : g.cpus()) n_cpus += static_cast<int>(rt.units().at(each).cpus.size());
  return n_cpus;
}

}  // namespace

TEST_CASE("a task has the CPUs of several CUs, each thread on one of its own", "[cpus]") {
  yoke::runtime rt;
  task_group g{rt};
  const int n_units = static_cast<int>(g.cpus().size()), n_cpus = cpus_of_all(rt, g);
  if (n_units < 2) return support::skip("fewer than two CPU CUs");
  numbers x{rt, n, "x"};
  std::set<int> seen;
  int said = 0, n_threads = 0;
  std::mutex lock;
  for (int i = 0; i < 20; ++i) {
    g.run("wide", {.cpus = n_units}, out(x), [&](task_context& me, auto a) {
      said = me.cpus();
      fill_in(me, a, 1);
#pragma omp parallel
      {
        const std::lock_guard guard{lock};
        if (omp_get_thread_num() == 0) n_threads = omp_get_num_threads();
        seen.insert(sched_getcpu());
      }
    });
    std::atomic<int> n_narrow{0};
    g.run("narrow", inout(x), [&](task_context& me, auto a) {
      if (me.is_gpu() || omp_get_max_threads() == me.cpus()) n_narrow = 1;
      add_one(me, a, 1);
    });
    g.wait();
    CHECK(n_narrow == 1);
  }
  CHECK(said == n_cpus);
  CHECK(n_threads == n_cpus);
  CHECK(std::ssize(seen) == n_cpus);
  CHECK(std::as_const(x).host()[n - 1] == 2);
}

TEST_CASE("nothing runs on CPU CUs beside a task that has them all, whoever tells it", "[cpus]") {
  yoke::runtime rt;
  std::atomic<int> n_inside{0}, n_wrong{0}, n_ran{0};
  {
    task_group g{rt}, h{rt};
    const int n_units = static_cast<int>(g.cpus().size());
    if (n_units < 2) return support::skip("fewer than two CPU CUs");
    const auto tell = [&](task_group& to) {
      for (int i = 0; i < 60; ++i) {
        to.run("wide", {.on = to.cpus(), .cpus = n_units}, [&](task_context&) {
          if (n_inside.fetch_add(100) != 0) ++n_wrong;
          std::this_thread::yield();
          n_inside -= 100;
          ++n_ran;
        });
        to.run("narrow", {.on = to.cpus()}, [&](task_context&) {
          if (n_inside.fetch_add(1) >= 100) ++n_wrong;
          --n_inside;
          ++n_ran;
        });
      }
    };
    std::thread other{[&] { tell(h); }};
    tell(g);
    other.join();
  }
  CHECK(n_wrong == 0);
  CHECK(n_ran == 240);
}

TEST_CASE("runs take CPUs between tasks that want several CUs", "[cpus]") {
  yoke::runtime rt;
  task_group g{rt};
  const int n_units = static_cast<int>(g.cpus().size());
  if (n_units < 2) return support::skip("fewer than two CPU CUs");
  std::atomic<int> n_ran{0}, n_of_runs{0};
  std::thread teller{[&] {
    for (int i = 0; i < 100; ++i) g.run("wide", {.cpus = n_units}, [&](task_context&) { ++n_ran; });
  }};
  for (int i = 0; i < 20; ++i) rt.each_unit([&](yoke::unit_id) { ++n_of_runs; });
  teller.join();
  g.wait();
  CHECK(n_ran == 100);
  CHECK(n_of_runs == 20 * rt.units().size());
}

TEST_CASE("a task of several CUs that fails before it runs lets them go", "[cpus]") {
  yoke::runtime rt;
  task_group g{rt};
  const int n_units = static_cast<int>(g.cpus().size());
  if (n_units < 2) return support::skip("fewer than two CPU CUs");
  numbers unwritten{rt, n, "unwritten"};
  int n_ran = 0;
  const yoke::task bad = g.run("bad", [](task_context&) { throw bad_luck{}; });
  const yoke::task behind =
      g.run("behind", {.after = {bad}, .cpus = n_units}, [&](task_context&) { ++n_ran; });
  const yoke::task reads =
      g.run("reads", {.cpus = n_units}, in(std::as_const(unwritten)), [&](task_context&, auto) { ++n_ran; });
  CHECK_THROWS_AS(behind.wait(), bad_luck);
  CHECK_THROWS_AS(reads.wait(), yoke::usage_error);
  g.run("good", {.cpus = n_units}, [&](task_context&) { ++n_ran; });
  g.wait();
  CHECK(n_ran == 1);
}

TEST_CASE("as many CPU CUs as there are not are refused with the number", "[cpus]") {
  yoke::runtime rt;
  task_group g{rt};
  const auto nothing = [](task_context&) {};
  CHECK_THAT(support::refusal([&] { g.run("wide", {.cpus = 99}, nothing); }),
             Catch::Matchers::Contains("wide: cpus is 99; from 1 to"));
  CHECK_THAT(support::refusal([&] { g.run("wide", {.cpus = 0}, nothing); }),
             Catch::Matchers::Contains("wide: cpus is 0; from 1 to"));
  if (!g.gpus().empty())
    CHECK(support::refusal([&] { g.run("wide", {.on = g.gpus(), .cpus = 2}, nothing); }) ==
          "wide: cpus is 2; from 1 to 1, the CPU CUs that it may run on");
}
