// Tasks that fail, and groups that are cancelled.
#include "kernels.hpp"

#include <atomic>
#include <future>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using yoke::task;
using yoke::task_context;
using yoke::task_group;

const auto fails = [](task_context&, auto...) { throw bad_luck{"bad luck"}; };

}  // namespace

TEST_CASE("who reads what a failed task was to write fails with it, and all else goes on", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  numbers x{rt, n, "x"}, y{rt, n, "y"}, z{rt, n, "z"};
  fill(g, y, 1);
  fill(g, z, 1);
  const task bad = g.run("bad", out(x), fails);
  const task reader = add(g, x, y, 1), next = add(g, y, y, 1), apart = add(g, z, z, 1);
  const task mends = fill(g, x, 3);
  CHECK_THROWS_WITH(reader.wait(), "bad luck");
  CHECK_THROWS_AS(next.wait(), bad_luck);
  CHECK_THROWS_AS(bad.wait(), bad_luck);
  CHECK_THROWS_AS(bad.wait(), bad_luck);
  apart.wait();
  mends.wait();
  CHECK(z.host()[0] == 32);
  CHECK(x.host()[0] == 3);
  fill(g, y, 1);
  g.wait();
  CHECK(y.host()[0] == 1);
}

TEST_CASE("who reads a token fails with its writer, whatever else it has of that", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  yoke::token first, second, third;
  g.run("bad", out(first), inout(second), out(third), fails);
  const auto nothing = [](task_context&) {};
  CHECK_THROWS_AS(g.run("reads", out(first), in(second), out(third), nothing).wait(), bad_luck);
  CHECK_NOTHROW(g.run("overwrites", out(first), out(third), nothing).wait());
}

TEST_CASE("a failed task takes along those that come after it by name or token", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  yoke::token turn;
  bool ran = false;
  const task bad = g.run("bad", out(turn), fails);
  const task by_token = g.run("one", in(std::as_const(turn)), [&](task_context&) { ran = true; });
  const task by_name = g.run("two", {.after = {bad}}, [&](task_context&) { ran = true; });
  CHECK_THROWS_AS(by_token.wait(), bad_luck);
  CHECK_THROWS_AS(by_name.wait(), bad_luck);
  CHECK_FALSE(ran);
  g.wait();
}

TEST_CASE("a wait for the group throws the first error in the order told, once", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  for (int i = 0; i < 10; ++i) g.run("bad", [i](task_context&) { throw bad_luck{std::to_string(i)}; });
  CHECK_THROWS_WITH(g.wait(), "0");
  g.wait();
}

TEST_CASE("a cancelled group runs what has a CU, and no more until somebody has waited", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  const std::vector on{g.cpus().front()};
  std::promise<void> may_end;
  const auto ended = may_end.get_future().share();
  numbers x{rt, n, "x"};
  x.host()[0] = 7;
  const task held = g.run("hold", {.on = on}, [ended](task_context&) { ended.wait(); });
  const task late = g.run("late", {.on = on}, inout(x), [](task_context&, auto a) { a[0] = 1; });
  g.cancel();
  const task later = fill(g, x, 3);
  CHECK(late.is_over());
  may_end.set_value();
  g.wait();
  held.wait();
  CHECK_THROWS_AS(late.wait(), yoke::task_cancelled);
  CHECK_THROWS_WITH(later.wait(), "fill: its group was cancelled before it had a CU");
  CHECK(x.host()[0] == 7);
  fill(g, x, 3).wait();
  CHECK(x.host()[0] == 3);
}

TEST_CASE("an exception that passes a group cancels it", "[tasks]") {
  yoke::runtime rt;
  std::atomic<int> n_ran{0};
  task held;
  std::promise<void> may_end;
  const auto ended = may_end.get_future().share();
  CHECK_THROWS_AS(
      [&] {
        task_group g{rt};
        for (int i = 0; i < 1000; ++i)
          held = g.run("count", [&](task_context& me) {
            ++n_ran;
            if (!me.is_gpu()) ended.wait();
          });
        may_end.set_value();
        throw bad_luck{"on the way"};
      }(),
      bad_luck);
  CHECK(held.is_over());
  const int then = n_ran;
  rt.each_unit([](yoke::unit_id) {});
  CHECK(n_ran == then);
}

TEST_CASE("a task outlives its group, and its group the runtime", "[tasks]") {
  task bad;
  std::optional<task_group> g;
  {
    yoke::runtime rt;
    g.emplace(rt);
    bad = g->run("bad", fails);
  }
  CHECK(bad.is_over());
  CHECK_THROWS_AS(bad.wait(), bad_luck);
  g->wait();
  CHECK(g->cpus().size() + g->gpus().size() > 0);
  CHECK(support::refusal([&] { g->run("late", fails); }) ==
        "late: told, but the runtime of its group has ended");
  g.reset();
  CHECK_THROWS_AS(bad.wait(), bad_luck);
}

TEST_CASE("objects that fit no memory fail their task, and those that read it", "[tasks]") {
  const support::variable small{"YOKE_EMULATED", "memory=64KiB"};
  yoke::runtime rt;
  if (lacks_emulated_devices(rt)) return;
  task_group g{rt};
  numbers large{rt, 100'000, "large"}, y{rt, n, "y"};
  fill(g, y, 1);
  const task bad = g.run("large", {.on = g.gpus()}, out(large), [](task_context&, auto) {});
  const task reader = add(g, large, y, 1);
  CHECK_THROWS_AS(bad.wait(), yoke::out_of_memory);
  CHECK_THROWS_AS(reader.wait(), yoke::out_of_memory);
  g.wait();
}
