// Bounds on the time of tasks and agents.
#include "gate.hpp"
#include "kernels.hpp"

#include <atomic>
#include <limits>
#include <support/catch.hpp>
#include <support/child.hpp>
#include <support/errors.hpp>
#include <vector>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;
using yoke::agent_context;
using yoke::late_task;
using yoke::task_context;
using yoke::task_group;

constexpr double hour = 3600;

}  // namespace

TEST_CASE("who runs longer than was said is told of while it runs, and goes on", "[late]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  const yoke::unit_id on = g.cpus().back();
  gate warned;
  std::vector<late_task> all;
  numbers x{rt, n, "x"};
  const auto warns = [&](const late_task& late) {
    all.push_back(late);
    warned.open();
  };
  g.run("slow", {.on = {on}, .at_most = {1e-6, warns}}, out(x), [&](task_context& me, auto a) {
    warned.wait();
    fill_in(me, a, 7);
  });
  g.wait();
  REQUIRE(all.size() == 1);
  CHECK(all.front().name == "slow");
  CHECK(all.front().unit == on);
  CHECK(all.front().seconds == 1e-6);
  CHECK(std::as_const(x).host()[0] == 7);
}

TEST_CASE("the bound that is over first is told of first, whichever began first", "[late]") {
  yoke::runtime rt;
  std::atomic<int> n_warned{0};
  gate warned;
  {
    task_group g{rt};
    const auto never = [&](const late_task&) { ++n_warned; };
    const auto once = [&](const late_task&) { warned.open(); };
    gate begun;
    g.spawn("patient", {.at_most = {hour, never}}, [&](agent_context&) {
      begun.open();
      warned.wait();
    });
    begun.wait();
    g.spawn("hasty", {.at_most = {1e-6, once}}, [&](agent_context&) { warned.wait(); });
    for (int i = 0; i < 50; ++i) g.run("short", {.at_most = {hour, never}}, [](task_context&) {});
    g.wait();
  }
  CHECK(n_warned == 0);
}

TEST_CASE("an agent runs until its tasks are over, and who is told may cancel the group", "[late]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  const yoke::task_options here{.on = {g.cpus().front()}};
  gate closed;
  std::atomic<bool> has_run{false}, has_left{false};
  const auto gives_up = [&](const late_task&) {
    while (!has_left) std::this_thread::yield();
    g.cancel();
    closed.open();
  };
  g.spawn("agent", {.at_most = {1e-6, gives_up}}, [&](agent_context& me) {
    closed.hold(me, here);
    me.run("behind", here, [&](task_context&) { has_run = true; });
    has_left = true;
  });
  g.wait();
  CHECK_FALSE(has_run);
}

TEST_CASE("two agents are late", "[.child]") {
  yoke::runtime rt;
  task_group g{rt};
  gate warned;
  g.spawn("first", {.at_most = {1e-6}}, [&](agent_context& me) {
    me.spawn("second", {.at_most = {1e-6, [&](const late_task&) { warned.open(); }}},
             [&](agent_context&) { warned.wait(); });
  });
  g.wait();
}

TEST_CASE("where nobody says who is to be told it is a line on stderr", "[late]") {
  const support::ended_child met = support::run_child("two agents are late");
  CHECK(met.message == "yoke: first, an agent, has run for more than 1e-06 s\n");
}

TEST_CASE("a bound that is no time is refused, and so is one that is recorded", "[late]") {
  yoke::runtime rt;
  task_group g{rt};
  const auto nothing = [](task_context&) {};
  for (const double seconds : {0.0, -1.0, 1e10, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THAT(support::refusal([&] { g.run("task", {.at_most = {seconds}}, nothing); }),
               Contains("task: at_most is") && Contains("a number from 1e-09 to 1e+09, or infinite"));
    CHECK_THROWS_AS(g.spawn("agent", {.at_most = {seconds}}, [](agent_context&) {}), yoke::usage_error);
  }
  const auto recorded = [&] {
    static_cast<void>(g.record([&] { g.run("task", {.at_most = {1}}, nothing); }));
  };
  CHECK_THAT(support::refusal(recorded), Contains("task: a bound on its time cannot be recorded"));
}
