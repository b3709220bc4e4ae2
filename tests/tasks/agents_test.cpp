// Agents: what they have, tell, wait for and meet.
#include "gate.hpp"
#include "kernels.hpp"

#include <atomic>
#include <numeric>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;
using yoke::agent_context;
using yoke::task;
using yoke::task_context;
using yoke::task_group;

}  // namespace

TEST_CASE("an agent has its objects on the host, and what is told behind it finds what it wrote",
          "[agents]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"}, y{rt, n, "y"};
  task_group g{rt};
  fill(g, x, 2);
  fill(g, y, 1);
  const std::thread::id mine = std::this_thread::get_id();
  std::atomic<bool> was_mine{false};
  const task agent =
      g.spawn("agent", in(x), inout(y), [&](agent_context&, std::span<const number> a, std::span<number> b) {
        was_mine = std::this_thread::get_id() == mine;
        for (std::size_t i = 0; i < a.size(); ++i) b[i] += 10 * a[i];
      });
  add(g, y, y, 0);
  agent.wait();
  CHECK(agent.is_over());
  g.wait();
  CHECK_FALSE(was_mine);
  CHECK(std::as_const(y).host()[n - 1] == 31 * 21);
}

TEST_CASE("the end of an agent waits for its tasks, which use what it has", "[agents]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  fill(g, x, 1);
  number seen = 0;
  g.spawn("agent", inout(x), [&](agent_context& me, std::span<number> a) {
    for (number& each : a) each += 1;
    const task own = add(me, x, x, 1);
    me.wait(own);
    add(me, x, x, 1);
    me.wait_all();
    seen = me.host(in(x))[3];
    add(me, x, x, 0);
  });
  const task late = add(g, x, x, 1);
  late.wait();
  CHECK(seen == 2 * 32 * 32);
  CHECK(std::as_const(x).host()[0] == ((2 * 32 * 32 * 31 * 32) & 0xffffffff));
  g.wait();
}

TEST_CASE("what comes behind an agent comes behind its tasks, whenever these are told", "[agents]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"}, y{rt, n, "y"};
  yoke::token turn;
  task_group g{rt};
  for (int i = 0; i < 20; ++i) {
    gate closed;
    std::vector<int> order;
    fill(g, x, 1);
    fill(g, y, 0);
    const task agent = g.spawn("agent", [&](agent_context& me) {
      closed.wait();
      add(me, x, x, 0);
      add(me, x, x, 0);
      add(me, x, y, 1);
      me.run("turn", inout(turn), [&](task_context&) { order.push_back(1); });
      me.run("turn", inout(turn), [&](task_context&) { order.push_back(2); });
    });
    number seen = 0;
    g.spawn("reads", {.after = {agent}}, in(std::as_const(x)), [&](agent_context&, auto a) { seen = a[0]; });
    g.run("writes", {.after = {agent}}, inout(x), [](task_context& me, auto a) { add_one(me, a, 1); });
    g.run("turn", {.after = {agent}}, inout(turn), [&](task_context&) { order.push_back(3); });
    g.run("turn", in(std::as_const(turn)), [&](task_context&) { order.push_back(4); });
    add(g, x, y, 1);
    closed.open();
    g.wait();
    REQUIRE(seen == 31 * 31);
    REQUIRE(std::as_const(x).host()[0] == 31 * 31 + 1);
    REQUIRE(std::as_const(y).host()[n - 1] == 31 * 31 * 31 + 31 * 31 + 1);
    REQUIRE(order == std::vector{1, 2, 3, 4});
  }
}

TEST_CASE("an agent comes after what it names and what uses its objects", "[agents]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  x.host()[0] = 1;
  gate closed;
  const task held = closed.hold(g, {.on = {g.cpus().front()}});
  std::atomic<int> n_run{0};
  const task by_name = g.spawn("by name", {.after = {held}}, [&](agent_context&) { ++n_run; });
  const task by_agent = g.run("by agent", {.after = {by_name}}, [&](task_context&) { ++n_run; });
  const task reader = g.spawn("reader", in(x), [](agent_context&, auto) {});
  reader.wait();
  CHECK(n_run == 0);
  CHECK_FALSE(by_name.is_over());
  closed.open();
  by_agent.wait();
  CHECK(n_run == 2);
  g.wait();
}

TEST_CASE("agents that read one object run side by side", "[agents]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  fill(g, x, 1);
  yoke::flag other{g, "other"};
  bool first_met = false, second_met = false;
  g.spawn("first", in(x), [&](agent_context& me, auto) { first_met = me.meet(other); });
  const task first = g.spawn("second", {.flag = other}, in(x), [&](agent_context& me, auto) {
    yoke::task const none;
    CHECK_THAT(support::refusal([&] { static_cast<void>(me.meet(none)); }),
               Contains("second: it is to meet nothing"));
  });
  g.wait();
  CHECK_FALSE(first_met);  // the other one has ended without it
  const task one = g.spawn("one", {.flag = yoke::flag{g}}, in(x), [&](agent_context& me, auto) {
    first_met = me.meet(g.spawn("two", [&](agent_context&) { second_met = true; }));
  });
  g.wait();
  CHECK_FALSE(first_met);
  CHECK(second_met);
}

TEST_CASE("two agents meet as often as both say so", "[agents]") {
  yoke::runtime rt;
  task_group g{rt};
  yoke::flag a{g, "a"}, b{g, "b"};
  constexpr int n_times = 200;
  std::vector<int> seen;  // by turns, without a lock
  int n_met = 0;
  g.spawn("even", {.flag = a}, [&](agent_context& me) {
    for (int i = 0; i < n_times; ++i) {
      seen.push_back(2 * i);
      n_met += me.meet(b) ? 1 : 0;
      n_met += me.meet(b) ? 1 : 0;
    }
  });
  g.spawn("odd", {.flag = b}, [&](agent_context& me) {
    for (int i = 0; i < n_times; ++i) {
      if (!me.meet(a)) return;
      seen.push_back(2 * i + 1);
      if (!me.meet(a)) return;
    }
  });
  g.wait();
  std::vector<int> model(2 * n_times);
  std::iota(model.begin(), model.end(), 0);
  CHECK(seen == model);
  CHECK(n_met == 2 * n_times);
}

TEST_CASE("tasks of an agent have its CUs and its priority, where they say nothing else", "[agents]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  const yoke::unit_id last{rt.units().size() - 1}, first = g.cpus().front();
  std::atomic<int> n_wrong{0}, own_unit{-1};
  g.spawn("agent", {.on = {last}}, [&](agent_context& me) {
    for (int i = 0; i < 20; ++i)
      me.run("here", [&](task_context& at) {
        if (at.unit() != last) ++n_wrong;
      });
    me.run("there", {.on = {first}}, [&](task_context& at) { own_unit = at.unit(); });
    g.run("by its group", [&](task_context& at) {
      if (at.unit() != last) ++n_wrong;
    });
    me.spawn("inner", [&](agent_context& inner) {
      inner.run("here", [&](task_context& at) {
        if (at.unit() != last) ++n_wrong;
      });
    });
  });
  g.wait();
  CHECK(n_wrong == 0);
  CHECK(own_unit == first);

  gate closed;
  std::vector<int> order;
  const yoke::task_options here{.on = {first}};
  closed.hold(g, here);
  const auto note = [&order](int what) { return [&order, what](task_context&) { order.push_back(what); }; };
  g.run("low", here, note(0));
  g.on(first).spawn("urgent", {.priority = 3}, [&](agent_context& me) {
    me.run("high", note(3));
    me.run("highest", {.priority = 4}, note(4));
    closed.open();
  });
  g.wait();
  CHECK(order == std::vector{4, 3, 0});
}

TEST_CASE("an object is on the host for an agent, and behind that for others", "[agents]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  fill(g, x, 1);
  std::atomic<bool> is_early{false}, has_it{true};
  g.spawn("agent", [&](agent_context& me) {
    for (int i = 0; i < 20; ++i) {
      auto values = me.host(inout(x));
      const task late = g.run("late", inout(x), [&](task_context& at, auto a) {
        if (has_it) is_early = true;
        add_in(at, a, a, 0);
      });
      for (number& each : values) each += 1;
      CHECK_FALSE(late.is_over());
      has_it = false;
      {
        const auto given_back = std::move(values);
      }
      me.wait(late);
      has_it = true;
    }
  });
  g.wait();
  CHECK_FALSE(is_early);
  number model = 1;
  for (int i = 0; i < 20; ++i) model = 31 * (model + 1) & 0xffffffff;
  CHECK(std::as_const(x).host()[5] == model);
}

TEST_CASE("a call of placement waits for an agent that has the object", "[agents]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  x.host()[0] = 1;
  task_group g{rt};
  for (int i = 0; i < 50; ++i) {
    g.spawn("agent", inout(x), [&](agent_context& me, auto a) {
      a[0] += 1;
      add(me, x, x, 0);
    });
    x.host()[0] += 1;
  }
  number model = 1;
  for (int i = 0; i < 50; ++i) model = ((model + 1) * 31 & 0xffffffff) + 1;
  CHECK(std::as_const(x).host()[0] == model);
}

TEST_CASE("agents outlive a group that is left by an exception, and a runtime waits for them", "[agents]") {
  std::atomic<int> n_done{0};
  std::optional<task_group> g;
  {
    yoke::runtime rt;
    g.emplace(rt);
    for (int i = 0; i < 20; ++i)
      g->spawn("agent", [&](agent_context& me) {
        for (int k = 0; k < 10; ++k) me.run("one", [&](task_context&) { ++n_done; });
      });
  }
  g.reset();
  CHECK(n_done == 200);
}
