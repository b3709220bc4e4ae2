#include "kernels.hpp"

#include <atomic>
#include <future>
#include <set>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;
using yoke::task;
using yoke::task_context;
using yoke::task_group;
using yoke::unit_id;

}  // namespace

TEST_CASE("tasks give what they give one after the other", "[tasks]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"}, y{rt, n, "y"};
  task_group g{rt};
  fill(g, x, 2);
  fill(g, y, 1);
  add(g, x, y, 3);
  add(g, y, x, 1);
  g.wait();
  CHECK(y.host()[5] == 37);
  CHECK(x.host()[5] == 99);
}

TEST_CASE("a task runs on a CU of its list, and on each of all in time", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  for (int unit = 0; unit < rt.units().size(); ++unit) {
    numbers x{rt, n, "x"};
    int seen = -1;
    g.run("look", {.on = {unit_id{unit}}}, out(x), [&](task_context& me, auto) { seen = me.unit(); });
    g.on(unit_id{unit}).run("look", inout(x), [&](task_context& me, auto) {
      if (seen != me.unit()) seen = -2;
    });
    g.wait();
    CHECK(seen == unit);
  }
  std::mutex lock;
  std::set<int> seen;
  for (int i = 0; i < 200; ++i)
    g.run("any", [&](task_context& me) {
      const std::lock_guard guard{lock};
      seen.insert(me.unit());
    });
  g.wait();
  CHECK(std::ssize(seen) == rt.units().size());
}

TEST_CASE("a body has the CPUs of its CU, or the stream of its device", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  std::atomic<int> n_wrong{0};
  for (int i = 0; i < 50; ++i)
    g.run("look", [&](task_context& me) {
      const yoke::compute_unit& unit = rt.units().at(me.unit());
      if (me.is_gpu() != (unit.dev != nullptr) || me.dev() != unit.dev) ++n_wrong;
      if (!me.is_gpu() && (me.cpus() != std::ssize(unit.cpus) || yoke::cu::cu_id() != unit.id)) ++n_wrong;
      if (me.is_gpu() && me.stream().native == nullptr) ++n_wrong;
    });
  g.wait();
  CHECK(n_wrong == 0);
}

TEST_CASE("bodies, kernels in them and launches work on the same objects", "[tasks]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"}, y{rt, n, "y"};
  task_group g{rt};
  for (int i = 0; i < 20; ++i) {
    g.run("fill", out(x), [](task_context& me, auto a) { fill_in(me, a, 2); });
    fill(g, y, 1);
    g.run("add", in(x), inout(y), [](task_context& me, auto a, auto b) { add_in(me, a, b, 3); });
  }
  g.wait();
  CHECK(y.host()[0] == 37);
}

TEST_CASE("a list of roles that is made at run time is one argument", "[tasks]") {
  yoke::runtime rt;
  std::vector<numbers> all;
  for (int i = 0; i < 5; ++i) all.emplace_back(rt, n, "one");
  numbers sum{rt, n, "sum"};
  task_group g{rt};
  fill(g, sum, 0);
  std::vector<decltype(in(std::as_const(sum)))> roles;
  for (int i = 0; i < 5; ++i) {
    fill(g, all[static_cast<std::size_t>(i)], i);
    roles.push_back(in(std::as_const(all[static_cast<std::size_t>(i)])));
  }
  g.run("sum", roles, inout(sum), [](task_context& me, const auto& each, auto into) {
    for (const auto one : each) add_in(me, one, into, 1);
  });
  g.wait();
  number model = 0;
  for (int i = 0; i < 5; ++i) model = (31 * model + i) & 0xffffffff;
  CHECK(sum.host()[1] == model);
}

TEST_CASE("a call of placement waits for the tasks that use its object", "[tasks]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  fill(g, x, 1);
  for (int i = 0; i < 3; ++i) {
    const task last = add(g, x, x, 0);
    last.wait();
    x.host()[0] += 1;
  }
  CHECK(x.host()[0] == ((1 * 31 + 1) * 31 + 1) * 31 + 1);
}

TEST_CASE("a call of placement waits for tasks without a CU, too", "[tasks]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  number model = 1;
  fill(g, x, 1);
  for (int i = 0; i < 200; ++i) {
    for (int k = 0; k < 20; ++k) {
      add(g, x, x, 0);
      model = (31 * model) & 0xffffffff;
    }
    if (i % 2 == 0)
      REQUIRE(std::as_const(x).host()[0] == model);
    else
      x.host()[0] = model = i;
  }
  {
    numbers gone = std::move(x);
  }
  g.wait();
}

TEST_CASE("an object of a task without a CU is refused in a run, which has the CPUs", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  numbers x{rt, n, "x"};
  x.host()[0] = 1;
  std::string text;
  rt.each_unit([&](unit_id unit) {
    if (unit != 0) return;
    std::thread{[&] {
      for (int i = 0; i < 3; ++i)
        g.run("late", {.on = g.cpus()}, inout(x), [](task_context& me, auto a) { fill_in(me, a, 2); });
    }}.join();
    text = support::refusal([&] { x.here(); });
  });
  CHECK_THAT(text, Contains("late") && Contains("run"));
  g.wait();
  CHECK(x.host()[0] == 2);
}

TEST_CASE("a GPU CU has room for four tasks, a CPU CU for one", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  CHECK(g.cpus().size() + g.gpus().size() == static_cast<std::size_t>(rt.units().size()));
  if (g.cpus().empty()) return support::skip("no CPU CU");
  const unit_id first = g.cpus().front();
  std::promise<void> may_end;
  const auto ended = may_end.get_future().share();
  CHECK(g.is_free(first));
  const task one = g.on(first).run("hold", [ended](task_context&) { ended.wait(); });
  CHECK_FALSE(g.is_free(first));
  CHECK_FALSE(one.is_over());
  may_end.set_value();
  one.wait();
  CHECK(one.is_over());
  CHECK(g.is_free(first));
  CHECK_THAT(support::refusal([&] { static_cast<void>(g.is_free(unit_id{99})); }), Contains("99"));
}

TEST_CASE("the more urgent of two tasks that wait for one CU goes first", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  const std::vector on{g.cpus().front()};
  std::promise<void> may_end;
  const auto ended = may_end.get_future().share();
  std::vector<int> order;
  g.run("hold", {.on = on}, [ended](task_context&) { ended.wait(); });
  for (const int priority : {0, std::numeric_limits<int>::min(), 5, std::numeric_limits<int>::max(), 5})
    g.run("note", {.on = on, .priority = priority},
          [&order, priority](task_context&) { order.push_back(priority); });
  may_end.set_value();
  g.wait();
  CHECK(order == std::vector{std::numeric_limits<int>::max(), 5, 5, 0, std::numeric_limits<int>::min()});
}

TEST_CASE("tasks are told by any thread", "[tasks]") {
  yoke::runtime rt;
  std::vector<numbers> all;
  for (int i = 0; i < 3; ++i) all.emplace_back(rt, n, "own");
  task_group g{rt};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      numbers& mine = all[static_cast<std::size_t>(t)];
      fill(g, mine, t);
      for (int i = 0; i < 100; ++i)
        g.run("add", inout(mine), [](task_context& me, auto x) { add_in(me, x, x, 0); });
    });
  for (std::thread& each : threads) each.join();
  g.wait();
  for (int t = 0; t < 3; ++t) {
    number model = t;
    for (int i = 0; i < 100; ++i) model = (31 * model) & 0xffffffff;
    CHECK(all[static_cast<std::size_t>(t)].host()[3] == model);
  }
}

TEST_CASE("groups may follow one another, and share a runtime with its runs", "[tasks]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  fill(*std::make_unique<task_group>(rt), x, 1).wait();
  for (int i = 0; i < 3; ++i) {
    task_group g{rt};
    add(g, x, x, 0);
    std::atomic<int> n_ran{0};
    rt.each_unit([&](unit_id) { ++n_ran; });
    CHECK(n_ran == rt.units().size());
    g.wait();
  }
  CHECK(x.host()[0] == 31 * 31 * 31);
}
