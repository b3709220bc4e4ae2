// Tasks that are recorded, and replayed.
#include "gate.hpp"
#include "kernels.hpp"

#include <array>
#include <atomic>
#include <random>
#include <support/catch.hpp>
#include <support/errors.hpp>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;
using yoke::agent_context;
using yoke::task;
using yoke::task_context;
using yoke::task_group;

constexpr number kept = 0xffffffff;

}  // namespace

TEST_CASE("replays give what their tasks give one after the other, before and with a plan", "[recording]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"}, y{rt, n, "y"}, z{rt, n, "z"};
  task_group g{rt};
  fill(g, x, 1);
  fill(g, y, 2);
  const auto step = g.record([&] {
    add(g, x, y, 1);
    add(g, x, z, 0);
    g.run("more", inout(x), [](task_context& me, auto a) { add_one(me, a, 1); });
    add(g, y, x, 3);
  });
  fill(g, z, 0);
  CHECK(step.n_tasks() == 4);
  CHECK_FALSE(step.is_planned());
  number a = 1, b = 2;
  for (int i = 0; i < 50; ++i) {
    const task whole = step.replay();
    b = (31 * b + a) & kept;
    a = (31 * (a + 1) + 3 * b) & kept;
    if (i % 7 == 0) {
      whole.wait();
      CHECK(whole.is_over());
    }
    if (i % 5 == 0) CHECK(std::as_const(x).host()[3] == a);
    if (i % 11 == 0) {
      fill(g, y, i);
      b = i;
    }
  }
  g.wait();
  CHECK(step.is_planned());
  CHECK(std::as_const(x).host()[0] == a);
  CHECK(std::as_const(y).host()[n - 1] == b);
}

TEST_CASE("tokens and names order the tasks of a replay, and replays", "[recording]") {
  yoke::runtime rt;
  yoke::token turn;
  task_group g{rt};
  std::vector<int> order;
  const auto note = [&order](int what) { return [&order, what](task_context&) { order.push_back(what); }; };
  const auto step = g.record([&] {
    const task first = g.run("note", inout(turn), note(0));
    const task second = g.run("note", {.after = {first}}, note(1));
    g.run("note", {.after = {second}}, inout(turn), note(2));
  });
  std::vector<int> model;
  for (int i = 0; i < 30; ++i) {
    step.replay();
    if (i == 3) g.wait();
    if (i % 10 == 5) g.run("note", inout(turn), note(3));
    for (const int each : {0, 1, 2}) model.push_back(each);
    if (i % 10 == 5) model.push_back(3);
  }
  g.wait();
  CHECK(step.is_planned());
  CHECK(order == model);
}

TEST_CASE("a task that fails in a replay fails that, and what it was to write", "[recording]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"}, y{rt, n, "y"};
  task_group g{rt};
  fill(g, y, 1);
  std::atomic<bool> fails{false};
  const auto step = g.record([&] {
    g.run("may fail", out(x), [&fails](task_context& me, auto a) {
      if (fails) throw bad_luck{};
      fill_in(me, a, 2);
    });
    add(g, x, y, 1);
  });
  for (int i = 0; i < 3; ++i) step.replay().wait();
  CHECK(step.is_planned());
  fails = true;
  const task bad = step.replay();
  CHECK_THROWS_AS(bad.wait(), bad_luck);
  g.wait();
  CHECK_THROWS_AS(std::as_const(y).host(), bad_luck);
  step.replay();
  CHECK_THROWS_AS(g.wait(), bad_luck);
  g.wait();
  fails = false;
  fill(g, y, 1);
  step.replay().wait();
  CHECK(std::as_const(y).host()[0] == 33);
}

TEST_CASE("contributions and tasks that commute are recorded as others", "[recording]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  yoke::placed<double> sum{rt, 1, "sum"};
  sum.host()[0] = 0;
  task_group g{rt};
  std::atomic<int> n_ran{0};
  fill(g, x, 0);
  const auto step = g.record([&] {
    for (const double mine : {1e16, 1.0, -1e16, 1.0}) contribute(g, sum, mine, {}, n_ran);
    for (int i = 0; i < 3; ++i) g.run("add", commute(x), [](task_context& me, auto a) { add_one(me, a, 1); });
  });
  double model = 0;
  for (int i = 0; i < 8; ++i) {
    step.replay();
    if (i == 1) g.wait();
    for (const double mine : {1e16, 1.0, -1e16, 1.0}) model += mine;
  }
  g.wait();
  CHECK(step.is_planned());
  CHECK(std::as_const(sum).host()[0] == model);
  CHECK(std::as_const(x).host()[0] == 24);
  CHECK(n_ran == 32);
}

TEST_CASE("agents may replay, behind what they have", "[recording]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  fill(g, x, 1);
  const auto step = g.record([&] { add(g, x, x, 0); });
  for (int i = 0; i < 2; ++i) step.replay().wait();
  g.spawn("agent", inout(x), [&](agent_context& me, auto a) {
    for (number& each : a) each = 1;
    for (int i = 0; i < 3; ++i) step.replay();
    me.host(inout(x))[0] += 1;
    me.wait(step.replay());
  });
  step.replay();
  g.wait();
  CHECK(std::as_const(x).host()[0] == ((31 * 31 * 31 + 1) * 31 * 31 & kept));
}

TEST_CASE("random graphs that are recorded give what they give one after the other", "[recording]") {
  yoke::runtime rt;
  const std::uint32_t seed = support::seed();
  INFO("--rng-seed " << seed);
  std::mt19937 random{seed};
  const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  for (int graph = 0; graph < 12; ++graph) {
    std::vector<numbers> all;
    std::array<number, 5> model{};
    task_group g{rt};
    for (int i = 0; i < 5; ++i) {
      all.emplace_back(rt, n, "one");
      fill(g, all.back(), model[static_cast<std::size_t>(i)] = i);
    }
    std::vector<std::array<int, 3>> steps(static_cast<std::size_t>(1 + below(40)));
    for (auto& each : steps) each = {below(5), below(5), below(9)};
    const auto step = g.record([&] {
      for (const auto& [from, to, factor] : steps) {
        yoke::task_options options;
        if (below(3) == 0) options.on = {yoke::unit_id{below(rt.units().size())}};
        add(g, all[static_cast<std::size_t>(from)], all[static_cast<std::size_t>(to)], factor, options);
      }
    });
    for (int i = 0; i < 6; ++i) {
      step.replay();
      if (below(2) == 0) g.wait();
      for (const auto& [from, to, factor] : steps)
        model[static_cast<std::size_t>(to)] =
            (31 * model[static_cast<std::size_t>(to)] + factor * model[static_cast<std::size_t>(from)]) &
            kept;
    }
    g.wait();
    for (std::size_t i = 0; i < 5; ++i) CHECK(std::as_const(all[i]).host()[n - 1] == model[i]);
  }
}

TEST_CASE("what cannot be recorded, or waited for in a record, is refused", "[recording]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  yoke::flag name{g};
  const auto nothing = [](task_context&) {};
  const task before = g.run("before", nothing);
  task inside;
  std::vector<std::string> texts;
  const auto refused = [&](auto call) { texts.push_back(support::refusal(call)); };
  const auto step = g.record([&] {
    refused([&] { g.spawn("agent", [](agent_context&) {}); });
    refused([&] { g.run("named", {.flag = name}, nothing); });
    refused([&] { g.run("wide", {.cpus = static_cast<int>(g.cpus().size())}, nothing); });
    refused([&] { g.run("there", present(x), [](task_context&, auto) {}); });
    refused([&] { static_cast<void>(g.try_run("tried", {}, nothing)); });
    refused([&] { g.run("late", {.after = {before}}, nothing); });
    refused([&] { static_cast<void>(g.record([] {})); });
    inside = g.run("inside", nothing);
    refused([&] { inside.wait(); });
  });
  const std::vector<std::string> wanted{"agent: an agent",
                                        "named: a flag names one",
                                        "wide: ",
                                        "there: present",
                                        "tried: try_run",
                                        "late: it is to come",
                                        "a recording: made while",
                                        "inside: waited for, which is recorded"};
  REQUIRE(texts.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (i != 2 || g.cpus().size() > 1) CHECK_THAT(texts[i], Contains(wanted[i]));
  CHECK_THAT(support::refusal([&] { g.run("late", {.after = {inside}}, nothing); }),
             Contains("late: it is to come after inside, which is recorded"));
  step.replay().wait();
}

TEST_CASE("a replay whose objects, group or runtime have ended is refused or fails", "[recording]") {
  std::optional<yoke::task_recording> step, of_group;
  {
    yoke::runtime rt;
    task_group g{rt};
    auto x = std::make_unique<numbers>(rt, n, "x");
    step = g.record([&] { fill(g, *x, 1); });
    for (int i = 0; i < 2; ++i) step->replay().wait();
    x.reset();
    CHECK_THROWS_AS(step->replay().wait(), yoke::usage_error);
    g.wait();
    {
      task_group inner{rt};
      of_group = inner.record([&] { inner.run("one", [](task_context&) {}); });
    }
    CHECK_THAT(support::refusal([&] { of_group->replay(); }), Contains("its group has ended"));
  }
  CHECK_THAT(support::refusal([&] { step->replay(); }), Contains("ended"));
}
