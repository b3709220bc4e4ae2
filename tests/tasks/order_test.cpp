// What comes after what.
#include "gate.hpp"
#include "kernels.hpp"

#include <atomic>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>
#include <utility>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using yoke::task;
using yoke::task_context;
using yoke::task_group;

}  // namespace

TEST_CASE("a task comes after those that it names", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  std::atomic<int> n_done{0};
  std::vector<task> all;
  for (int i = 0; i < 20; ++i) all.push_back(g.run("one", [&](task_context&) { ++n_done; }));
  int seen = 0;
  g.run("last", {.on = g.cpus().empty() ? g.gpus() : g.cpus(), .after = all},
        [&](task_context&) { seen = n_done; });
  g.wait();
  CHECK(seen == 20);
}

TEST_CASE("a token orders as data do", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  yoke::token turn;
  std::vector<int> order;
  std::atomic<int> n_readers{0};
  for (int i = 0; i < 30; ++i) {
    g.run("write", inout(turn), [&, i](task_context&) {
      if (n_readers != 2 * i) order.push_back(-1);
      order.push_back(i);
    });
    for (int k = 0; k < 2; ++k) g.run("read", in(std::as_const(turn)), [&](task_context&) { ++n_readers; });
  }
  g.wait();
  REQUIRE(order.size() == 30);
  for (int i = 0; i < 30; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("what names a token waits for the last that writes it, though all CUs are free", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  yoke::token turn;
  gate closed;
  const task first = g.spawn("waits", [&](yoke::agent_context&) { closed.wait(); });
  std::atomic<bool> has_written{false};
  std::atomic<int> n_early{0};
  const auto looks = [&](task_context&) { n_early += has_written ? 0 : 1; };
  g.run("write", {.after = {first}}, out(turn), [&](task_context&) { has_written = true; });
  g.run("read", in(std::as_const(turn)), looks);
  g.run("change", inout(turn), looks);
  for (const yoke::compute_unit& each : rt.units().all())  // behind all that might have begun
    g.on(each.id).run("other", [](task_context&) {}).wait();
  closed.open();
  g.wait();
  CHECK(n_early == 0);
}

TEST_CASE("tasks that only read run side by side", "[tasks]") {
  yoke::runtime rt("2x1");
  task_group g{rt};
  numbers x{rt, n, "x"};
  fill(g, x, 1);
  std::atomic<int> n_there{0};
  for (int i = 0; i < 2; ++i)
    g.run("meet", in(std::as_const(x)), [&](task_context&, auto) {
      ++n_there;
      while (n_there < 2) std::this_thread::yield();
    });
  g.wait();
  CHECK(n_there == 2);
}

TEST_CASE("an object that is named twice is changed where one of its roles writes", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  numbers x{rt, n, "x"};
  fill(g, x, 1);
  for (int i = 0; i < 10; ++i) add(g, x, x, 1);
  g.wait();
  number model = 1;
  for (int i = 0; i < 10; ++i) model = (32 * model) & 0xffffffff;
  CHECK(x.host()[0] == model);
}

TEST_CASE("a task must not tell of tasks, nor wait for any", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  const task first = g.run("first", [](task_context&) {});
  const auto text_in_task = [&](auto what) {
    std::string text;
    g.run("bad", [&](task_context&) { text = support::refusal(what); }).wait();
    return text;
  };
  const std::string why = " in a task, which must not tell of tasks nor wait for any";
  CHECK(text_in_task([&] { g.run("more", [](task_context&) {}); }) == "more: told" + why);
  CHECK(text_in_task([&] { g.wait(); }) == "a group: waited for" + why);
  CHECK(text_in_task([&] { first.wait(); }) == "first: waited for" + why);
  std::string text;
  rt.each_unit([&](yoke::unit_id unit) {
    if (unit == 0) text = support::refusal([&] { g.run("late", [](task_context&) {}); });
  });
  CHECK(text == "late: told inside a parallel region, of a run or of the program; do it outside of that");
}

TEST_CASE("what is told wrongly is refused, and nothing is told", "[tasks]") {
  yoke::runtime rt, other;
  task_group g{rt}, h{rt};
  const auto nothing = [](task_context&) {};
  CHECK_THAT(support::refusal([&] { g.run("one", {.on = {yoke::unit_id{77}}}, nothing); }),
             Catch::Matchers::Contains("77"));
  CHECK_THAT(support::refusal([&] { g.run("one", {.work = -1}, nothing); }), Catch::Matchers::Contains("-1"));
  CHECK(support::refusal([&] { g.on(yoke::unit_id{0}).run("one", {.on = {yoke::unit_id{0}}}, nothing); }) ==
        "one: a list of CUs in its options, and one of its queue; give one");
  numbers gone{rt, n, "gone"};
  const numbers now = std::exchange(gone, {});
  CHECK_THAT(support::refusal([&] { fill(g, gone, 1); }), Catch::Matchers::Contains("without a region"));
  numbers foreign{other, n, "foreign"};
  CHECK_THAT(support::refusal([&] { fill(g, foreign, 1); }),
             Catch::Matchers::Contains("belongs to another runtime"));
  if (!g.cpus().empty()) {
    gate closed;
    const task held = closed.hold(h, {.on = {h.cpus().front()}});
    CHECK(support::refusal([&] { g.run("late", {.after = {held}}, nothing); }) ==
          "late: it is to come after hold, a task of another group; wait for that");
    closed.open();
  }
  g.wait();
}
