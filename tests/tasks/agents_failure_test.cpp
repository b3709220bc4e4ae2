// Agents that fail, wait in circles, or for what nobody tells.
#include "gate.hpp"
#include "kernels.hpp"

#include <atomic>
#include <support/catch.hpp>
#include <support/errors.hpp>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;
using yoke::agent_context;
using yoke::task;
using yoke::task_context;
using yoke::task_group;

}  // namespace

TEST_CASE("an error of an agent is that of its group, and of who waits for it or reads what it has",
          "[agents]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"}, y{rt, n, "y"};
  task_group g{rt};
  fill(g, x, 1);
  fill(g, y, 1);
  const task bad = g.spawn("bad", inout(x), [](agent_context&, auto) { throw bad_luck{}; });
  const task reader = add(g, x, y, 1);
  const task by_name = g.spawn("by name", {.after = {bad}}, [](agent_context&) {});
  CHECK_THROWS_AS(bad.wait(), bad_luck);
  CHECK_THROWS_AS(reader.wait(), bad_luck);
  CHECK_THROWS_AS(by_name.wait(), bad_luck);
  g.wait();
  g.spawn("bad", [](agent_context&) { throw bad_luck{"again"}; });
  CHECK_THROWS_WITH(g.wait(), "again");
  g.wait();
  fill(g, x, 3);
  g.wait();
  CHECK(std::as_const(x).host()[0] == 3);
}

TEST_CASE("an agent fails with a task of its own that it has not caught, once for the group", "[agents]") {
  yoke::runtime rt;
  task_group g{rt};
  const auto fails = [](task_context&) { throw bad_luck{}; };
  const task bad = g.spawn("bad", [&](agent_context& me) { me.run("one", fails); });
  CHECK_THROWS_AS(g.wait(), bad_luck);
  CHECK_THROWS_AS(bad.wait(), bad_luck);
  g.wait();
  g.spawn("good", [&](agent_context& me) {
     const task one = me.run("one", fails);
     CHECK_THROWS_AS(me.wait(one), bad_luck);
     me.run("two", fails);
     CHECK_THROWS_AS(me.wait_all(), bad_luck);
     me.wait_all();
   }).wait();
  g.wait();
}

TEST_CASE("who waits to meet an agent that fails, or never starts, goes on", "[agents]") {
  yoke::runtime rt;
  task_group g{rt};
  yoke::flag left{g, "left"}, right{g, "right"};
  bool has_met = true, had_met = false;
  g.spawn("left", {.flag = left}, [&](agent_context& me) {
    had_met = me.meet(right);
    has_met = me.meet(right);
  });
  g.spawn("right", {.flag = right}, [&](agent_context& me) {
    static_cast<void>(me.meet(left));
    throw bad_luck{};
  });
  CHECK_THROWS_AS(g.wait(), bad_luck);
  CHECK(had_met);
  CHECK_FALSE(has_met);

  const task bad = g.run("bad", [](task_context&) { throw bad_luck{}; });
  const task never = g.spawn("never", {.after = {bad}}, [](agent_context&) {});
  g.spawn("meets", [&](agent_context& me) { has_met = !me.meet(never); });
  CHECK_THROWS_AS(g.wait(), bad_luck);
  CHECK(has_met);
}

TEST_CASE("agents that wait in a circle are told so, with their names", "[agents]") {
  yoke::runtime rt;
  task_group g{rt};
  yoke::flag a{g}, b{g};
  std::atomic<int> n_refused{0};
  std::string text;
  const auto waits_for = [&](const yoke::flag& other) {
    return [&](agent_context& me) {
      try {
        me.wait(other);
      } catch (const yoke::usage_error& circle) {
        if (++n_refused == 1) text = circle.what();
      }
    };
  };
  g.spawn("left", {.flag = a}, waits_for(b));
  g.spawn("right", {.flag = b}, waits_for(a));
  g.wait();
  CHECK(n_refused == 1);
  CHECK_THAT(text, Contains("left") && Contains("right") && Contains("waits for"));
}

TEST_CASE("a circle through tasks is one, too", "[agents]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  fill(g, x, 1);
  yoke::flag late{g};
  std::string text, own, access;
  std::atomic<bool> is_told{false};
  g.spawn("agent", inout(x), [&](agent_context& me, auto) {
    is_told.wait(false);  // else who tells is refused
    text = support::refusal([&] { me.wait(late); });
    own = support::refusal([&] { static_cast<void>(std::as_const(x).host()); });
  });
  add(g, x, x, 1, {.flag = late});
  is_told = true;
  is_told.notify_all();
  g.wait();
  CHECK(text == "a circle, in which nobody can go on: agent waits for add, which waits for agent");
  CHECK_THAT(own, Contains("me.host"));
  g.spawn("holder", [&](agent_context& me) {
    const auto values = me.host(inout(x));
    const task behind = add(me, x, x, 1);
    access = support::refusal([&] { me.wait(behind); });
  });
  g.wait();
  CHECK_THAT(access, Contains("holder waits for add, which waits for holder: host, which waits for holder"));
}

TEST_CASE("at its end an agent waits for its tasks, so others of the circle are told", "[agents]") {
  yoke::runtime rt;
  task_group g{rt};
  yoke::flag first{g}, second{g};
  std::string text;
  g.spawn("first", {.flag = first},
          [&](agent_context& me) { me.run("own", {.after = {second}}, [](task_context&) {}); });
  g.spawn("second", {.flag = second},
          [&](agent_context& me) { text = support::refusal([&] { me.wait(first); }); });
  g.wait();
  CHECK_THAT(text, Contains("first") && Contains("own") && Contains("second"));
}

TEST_CASE("a flag that nobody can tell any more fails who waits for it", "[agents]") {
  yoke::runtime rt;
  task_group g{rt};
  yoke::flag never{g, "never"};
  bool has_met = true, ran = false;
  const task behind = g.run("behind", {.after = {never}}, [&](task_context&) { ran = true; });
  const task waits = g.spawn("waits", [&](agent_context& me) { me.wait(never); });
  g.spawn("meets", [&](agent_context& me) { has_met = me.meet(never); });
  CHECK_THROWS_WITH(g.wait(), Contains("never") && Contains(".flag"));
  CHECK_THROWS_AS(behind.wait(), yoke::usage_error);
  CHECK_THROWS_AS(waits.wait(), yoke::usage_error);
  CHECK_FALSE(has_met);
  CHECK_FALSE(ran);
  CHECK_THAT(support::refusal([&] { g.run("late", {.flag = never}, [](task_context&) {}); }),
             Contains("late: its flag names nothing, and has failed"));
}

TEST_CASE("a flag is told late, once, of its group, and not behind what waits for it", "[agents]") {
  yoke::runtime rt;
  task_group g{rt}, other{rt};
  yoke::flag name{g, "name"}, of_other{other, "of other"}, self{g, "self"};
  const auto nothing = [](task_context&) {};
  const task behind = g.run("behind", {.after = {name}}, nothing);
  CHECK_FALSE(behind.is_over());
  CHECK_FALSE(name.is_over());
  CHECK_THAT(support::refusal([&] { g.run("one", {.after = {behind}, .flag = name}, nothing); }),
             Contains("one waits for behind") || Contains("behind, which waits for"));
  CHECK_THAT(support::refusal([&] { g.run("one", {.after = {self}, .flag = self}, nothing); }),
             Contains("self"));
  g.run("one", {.flag = name}, nothing);
  behind.wait();
  name.wait();
  CHECK(support::refusal([&] { g.run("two", {.flag = name}, nothing); }) ==
        "two: its flag names one already; one flag for each task");
  CHECK(support::refusal([&] { g.run("two", {.flag = of_other}, nothing); }) ==
        "two: its flag, of other, is of another group");
}

TEST_CASE("what an agent may not do is refused", "[agents]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  fill(g, x, 1);
  std::string group, reads, self, a_task;
  yoke::flag mine{g};
  g.spawn("agent", {.flag = mine}, in(x), [&](agent_context& me, auto) {
    group = support::refusal([&] { g.wait(); });
    reads = support::refusal([&] { add(me, x, x, 1); });
    self = support::refusal([&] { static_cast<void>(me.meet(mine)); });
    const task one = me.run("one", [](task_context&) {});
    a_task = support::refusal([&] { static_cast<void>(me.meet(one)); });
  });
  g.wait();
  CHECK(group == "agent: it is to wait for its group, which waits for it; me.wait_all() waits for its tasks");
  CHECK_THAT(reads, Contains("add: it is to change region 'x'") && Contains("agent"));
  CHECK_THAT(self, Contains("agent: it is to meet agent, which is the agent itself"));
  CHECK_THAT(a_task, Contains("agent: it is to meet one, a task"));
  CHECK_THAT(support::refusal([&] { g.spawn("wrong", {.on = {yoke::unit_id{77}}}, [](agent_context&) {}); }),
             Contains("77"));
  std::string in_task;
  g.run("task", [&](task_context&) {
     in_task = support::refusal([&] { g.spawn("more", [](agent_context&) {}); });
   }).wait();
  CHECK_THAT(in_task, Contains("more: told in a task"));
}

TEST_CASE("a cancelled group starts no agent, and those that run go on without tasks", "[agents]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  gate closed, cancelled;
  const task held = closed.hold(g, {.on = {g.cpus().front()}});
  std::atomic<bool> was_told{false};
  const task runs = g.spawn("runs", [&](agent_context& me) {
    cancelled.wait();
    const task late = me.run("late", [](task_context&) {});
    try {
      me.wait(late);
    } catch (const yoke::task_cancelled&) {
      was_told = true;
    }
  });
  const task never = g.spawn("never", {.after = {held}}, [](agent_context&) {});
  g.cancel();
  cancelled.open();
  closed.open();
  g.wait();
  CHECK(was_told);
  runs.wait();
  CHECK_THROWS_WITH(never.wait(), "never: its group was cancelled before it had started");
}
