// Agents that call loops over arrays and steps over zones: who comes after whom.
#include "loops.hpp"

#include "gate.hpp"

#include <algorithm>
#include <atomic>
#include <support/catch.hpp>
#include <utility>

#include <yoke/error.hpp>

namespace {

using namespace task_loops;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;
using yoke::agent_context;

}  // namespace

TEST_CASE("an agent that reads an array runs beside another one, and behind one that writes it", "[agents]") {
  yoke::runtime rt;
  row x = row_of(rt);
  yoke::task_group g{rt};
  std::atomic<int> n_written{0}, n_read{0};
  g.spawn("writer", out(x), [&](agent_context&) {
    task_loops::fill(rt, x, 7);
    n_written = 1;
  });
  const yoke::flag one{g}, other{g};
  std::atomic<int> n_met{0};
  const auto read = [&](const yoke::flag& own, const yoke::flag& partner) {
    g.spawn("reader", {.flag = own}, in(x), [&](agent_context& me) {
      n_read += n_written;
      n_met += me.meet(partner) ? 1 : 0;
    });
  };
  read(one, other);
  read(other, one);
  g.wait();
  CHECK(n_read == 2);
  CHECK(n_met == 2);
  CHECK(x.gather() == numbers(n, 7));
}

TEST_CASE("an array that moves keeps its place in the order of agents", "[agents]") {
  yoke::runtime rt;
  row x = row_of(rt);
  yoke::task_group g{rt};
  task_tests::gate closed;
  row here;
  row* at = &x;
  g.spawn("first", inout(x), [&](agent_context&) {
    closed.wait();
    task_loops::fill(rt, *at, 3);
  });
  here = std::move(x);
  at = &here;
  numbers seen;
  g.spawn("second", in(here), [&](agent_context&) { seen = here.gather(); });
  closed.open();
  g.wait();
  CHECK(seen == numbers(n, 3));
  // NOLINTNEXTLINE(bugprone-use-after-move): which is refused
  CHECK_THROWS_WITH(g.spawn("third", in(x), [](agent_context&) {}), Contains("moved from"));
}

TEST_CASE("who reads an array that an agent failed to write fails, until somebody overwrites it",
          "[agents]") {
  yoke::runtime rt;
  row x = row_of(rt);
  yoke::task_group g{rt};
  const auto nothing = [](agent_context&) {};
  const yoke::task fails = g.spawn("fails", inout(x), [](agent_context&) { throw bad_luck{}; });
  const yoke::task reads = g.spawn("reads", in(x), nothing);
  const yoke::task fills = g.spawn("fills", out(x), nothing);
  CHECK_THROWS_AS(fails.wait(), bad_luck);
  CHECK_THROWS_AS(reads.wait(), bad_luck);
  CHECK_NOTHROW(fills.wait());
  CHECK_NOTHROW(g.spawn("reads again", in(x), nothing).wait());
}

TEST_CASE("agents with fields of the same zones run one at a time", "[agents]") {
  yoke::runtime rt;
  yoke::zones ring = ring_of(rt);
  field u{ring, yoke::halo{0}, "u"}, v{ring, yoke::halo{0}, "v"};
  yoke::task_group g{rt};
  std::atomic<int> n_inside{0}, most{0};
  const auto body = [&](agent_context&) {
    most = std::max(most.load(), ++n_inside);
    static_cast<void>(points_of(u));
    --n_inside;
  };
  for (int i = 0; i < 20; ++i) {
    g.spawn("u", in(std::as_const(u)), body);
    g.spawn("u and v", in(std::as_const(u)), inout(v), body);
  }
  g.wait();
  CHECK(most == 1);
}

TEST_CASE("two groups do not share an array at a time", "[agents]") {
  yoke::runtime rt;
  row x = row_of(rt);
  yoke::task_group one{rt}, other{rt};
  task_tests::gate closed;
  one.spawn("holds", inout(x), [&](agent_context&) { closed.wait(); });
  CHECK_THROWS_AS(other.spawn("comes", in(x), [](agent_context&) {}), yoke::usage_error);
  closed.open();
  one.wait();
  CHECK_NOTHROW(other.spawn("comes", in(x), [](agent_context&) {}).wait());
}

TEST_CASE("a loop over arrays begins when the tasks that have a CPU CU are over", "[agents]") {
  yoke::runtime rt;
  row x = row_of(rt);
  yoke::task_group g{rt};
  if (g.cpus().empty()) return;
  std::atomic<int> n_over{0};
  for (int i = 1; i <= 50; ++i) {
    task_tests::gate closed;
    g.run("before", {.on = {g.cpus().front()}}, [&](yoke::task_context&) {
      closed.wait();
      ++n_over;
    });
    closed.open();
    task_loops::fill(rt, x, static_cast<number>(i));
    CHECK(n_over == i);
    g.run("behind", {.on = {g.cpus().back()}}, [](yoke::task_context&) {}).wait();
  }
  g.wait();
}

TEST_CASE("loops of agents, runs and tasks get the CPUs in turn", "[agents]") {
  yoke::runtime rt;
  row x = row_of(rt);
  yoke::task_group g{rt};
  std::atomic<int> n_ran{0};
  for (int i = 0; i < 100; ++i) {
    g.spawn("loop", inout(x), [&, i](agent_context&) { task_loops::fill(rt, x, static_cast<number>(i)); });
    g.run("task", [](yoke::task_context&) {});
    rt.each_unit([&](yoke::unit_id) { ++n_ran; });
    g.run("task", [](yoke::task_context&) {});
  }
  g.wait();
  CHECK(n_ran == 100 * rt.units().size());
  CHECK(x.gather() == numbers(n, 99));
}
