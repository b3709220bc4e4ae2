// commute, reduce and present, and tasks that are told only where there is room.
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

TEST_CASE("tasks that commute do not wait for the one told first", "[roles]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  yoke::token turn;
  task_group g{rt};
  fill(g, x, 1);
  gate closed;
  const task first = g.spawn("waits", [&](agent_context&) { closed.wait(); });
  const auto plus = [](number k) { return [k](task_context& me, auto a) { add_one(me, a, k); }; };
  const task late = g.run("late", {.after = {first}}, commute(x), plus(1));
  const task early = g.run("early", commute(x), plus(2));
  early.wait();
  std::atomic<int> n_turns{0};
  const task later = g.run("later", {.after = {first}}, commute(turn), [&](task_context&) { ++n_turns; });
  g.run("sooner", commute(turn), [&](task_context&) { ++n_turns; }).wait();
  CHECK(n_turns == 1);
  CHECK_FALSE(late.is_over());
  CHECK_FALSE(later.is_over());
  const task behind = add(g, x, x, 0);
  CHECK_FALSE(behind.is_over());
  closed.open();
  g.wait();
  CHECK(n_turns == 2);
  CHECK(std::as_const(x).host()[0] == 4 * 31);
}

TEST_CASE("tasks that commute run one at a time, behind what is before and before what is behind",
          "[roles]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"}, y{rt, n, "y"};
  yoke::token turn;
  task_group g{rt};
  fill(g, x, 0);
  std::atomic<int> n_inside{0}, n_wrong{0};
  int n_done = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 5; ++i) {
      g.run("add", commute(x), [](task_context& me, auto a) { add_one(me, a, 1); });
      g.run("turn", commute(turn), [&](task_context&) {
        if (++n_inside != 1) ++n_wrong;
        ++n_done;
        --n_inside;
      });
    }
    g.run("copy", in(std::as_const(x)), out(y), [](task_context& me, auto a, auto b) {
      fill_in(me, b, 0);
      add_in(me, a, b, 1);
    });
    g.run("look", in(std::as_const(turn)), [&, round](task_context&) {
      if (n_done != 5 * (round + 1)) ++n_wrong;
    });
    g.wait();
    REQUIRE(std::as_const(y).host()[0] == 5 * (round + 1));
  }
  CHECK(n_wrong == 0);
}

TEST_CASE("a task that fails takes along those that commute behind it, and those that read", "[roles]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  yoke::token turn;
  task_group g{rt};
  fill(g, x, 0);
  g.run("bad", inout(x), [](task_context&, auto) { throw bad_luck{}; });
  const task data = g.run("data", commute(x), [](task_context&, auto) {});
  CHECK_THROWS_AS(data.wait(), bad_luck);
  gate closed;
  const task first = g.spawn("waits", [&](agent_context&) { closed.wait(); });
  const task bad = g.run("bad", {.after = {first}}, commute(turn), [](task_context&) { throw bad_luck{}; });
  const task good = g.run("good", commute(turn), [](task_context&) {});
  const task reads = g.run("reads", in(std::as_const(turn)), [](task_context&) {});
  good.wait();
  closed.open();
  CHECK_THROWS_AS(reads.wait(), bad_luck);
  const task later = g.run("later", in(std::as_const(turn)), [](task_context&) {});
  CHECK_THROWS_AS(later.wait(), bad_luck);
}

TEST_CASE("contributions are combined in the order told, while their tasks run in any", "[roles]") {
  yoke::runtime rt;
  yoke::placed<double> sum{rt, 1, "sum"};
  numbers most{rt, n, "most"};
  sum.host()[0] = 1e16;
  task_group g{rt};
  fill(g, most, 5);
  gate closed;
  const task first = g.spawn("waits", [&](agent_context&) { closed.wait(); });
  double model = 1e16;
  std::atomic<int> n_ran{0};
  for (int i = 0; i < 40; ++i) {
    const double mine = i == 20 ? -1e16 : 1.0 + 0.1 * i;
    yoke::task_options options;
    if (i == 0) options.after = {first};
    contribute(g, sum, mine, options, n_ran);
    model += mine;
    g.run("most", raises(most), [i](task_context& me, auto a) { fill_in(me, a, i % 7); });
  }
  while (n_ran < 39) std::this_thread::yield();  // all but the first, which nobody waits for
  closed.open();
  g.wait();
  CHECK(std::as_const(sum).host()[0] == model);
  CHECK(std::as_const(most).host()[n - 1] == 6);
}

TEST_CASE("a contribution that fails fails what it was for, and nothing else", "[roles]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"}, y{rt, n, "y"};
  task_group g{rt};
  fill(g, x, 0);
  fill(g, y, 0);
  g.run("good", adds_to(y), [](task_context& me, auto a) { fill_in(me, a, 3); });
  const task bad = g.run("bad", adds_to(x), [](task_context&, auto) { throw bad_luck{}; });
  const task next = g.run("next", adds_to(x), [](task_context& me, auto a) { fill_in(me, a, 3); });
  CHECK_THROWS_AS(bad.wait(), bad_luck);
  CHECK_THROWS_AS(next.wait(), bad_luck);
  g.wait();
  CHECK(std::as_const(y).host()[0] == 3);
  CHECK_THAT(support::refusal(
                 [&] { g.run("twice", adds_to(y), in(std::as_const(y)), [](task_context&, auto, auto) {}); }),
             Contains("twice: an object that it reduces into is named 2 times"));
  CHECK_THAT(support::refusal([&] { g.spawn("agent", adds_to(y), [](agent_context&, auto) {}); }),
             Contains("agent: commute, reduce and present are roles of tasks"));
  CHECK_THAT(support::refusal([&] { g.spawn("agent", commute(y), [](agent_context&, auto) {}); }),
             Contains("agent: commute, reduce and present are roles of tasks"));
}

TEST_CASE("what is present does not travel", "[roles]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  if (g.cpus().empty() || g.gpus().empty()) return support::skip("not both kinds of CUs");
  const yoke::unit_id cpu = g.cpus().front(), gpu = g.gpus().back();
  fill(g, x, 1, {.on = {gpu}});
  std::atomic<int> seen{-1};
  for (int i = 0; i < 20; ++i) {
    g.run("here", present(x), [&](task_context& me, auto a) {
       seen = me.unit();
       add_in(me, a, a, 0);
     }).wait();
    CHECK(rt.units().at(yoke::unit_id{seen}).space == rt.units().at(gpu).space);
  }
  const task bad = g.run("bad", {.on = {cpu}}, present(std::as_const(x)), [](task_context&, auto) {});
  const std::size_t device = static_cast<std::size_t>(rt.units().at(gpu).space) - 1;
  CHECK_THROWS_WITH(bad.wait(), Contains("bad: region 'x' is to be present and is in " +
                                         rt.devices()[device]->info().name));
  g.wait();
  g.run("brings", {.on = {cpu}}, in(std::as_const(x)), [](task_context&, auto) {});
  g.run("good", {.on = {cpu}}, present(std::as_const(x)), [](task_context&, auto) {}).wait();
  g.run("changes", {.on = {cpu}}, inout(x), [](task_context&, auto) {});
  const task worse = g.run("worse", {.on = {gpu}}, present(x), [](task_context&, auto) {});
  CHECK_THROWS_WITH(worse.wait(), Contains("is in the host's memory"));
  CHECK_THROWS_AS(g.run("reads", in(std::as_const(x)), [](task_context&, auto) {}).wait(), yoke::usage_error);
}

TEST_CASE("a task that is tried is told where there is room, and not else", "[roles]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  const yoke::task_options here{.on = {g.cpus().front()}};
  gate closed;
  const task held = closed.hold(g, here);
  int n_ran = 0;
  const auto counts = [&](task_context&) { ++n_ran; };
  CHECK_FALSE(g.try_run("no room", here, counts).has_value());
  closed.open();
  held.wait();
  const auto told = g.try_run("room", here, counts);
  REQUIRE(told.has_value());
  told->wait();
  CHECK(n_ran == 1);
}

TEST_CASE("a task with a body for one kind of CUs runs on these, and is refused where there are none",
          "[roles]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  using yoke::loops::cpu, yoke::loops::gpu;
  std::atomic<int> n_elsewhere{0};
  const auto on_cpu = [&](task_context& me, auto) { n_elsewhere += me.is_gpu() ? 1 : 0; };
  const auto on_gpu = [&](task_context& me, auto) { n_elsewhere += me.is_gpu() ? 0 : 1; };
  const auto tell_both = [&](yoke::task_starter& to, const std::vector<yoke::unit_id>& units) {
    const auto here = [&](yoke::unit_kind kind) {
      return std::ranges::any_of(units, [&](yoke::unit_id u) { return rt.units().at(u).kind == kind; });
    };
    const auto tell = [&](yoke::unit_kind kind, const auto& body) {
      if (here(kind)) return static_cast<void>(to.run("one kind", out(x), body));
      CHECK_THAT(support::refusal([&] { to.run("one kind", out(x), body); }),
                 Contains("one kind: it has a body for") && Contains("may run on none of them"));
    };
    for (int i = 0; i < 10; ++i) {
      tell(yoke::unit_kind::cpu, yoke::variants{cpu{on_cpu}});
      tell(yoke::unit_kind::gpu, yoke::variants{gpu{on_gpu}});
    }
  };
  std::vector<yoke::unit_id> all;
  for (const yoke::compute_unit& each : rt.units().all()) all.push_back(each.id);
  tell_both(g, all);
  auto first = g.on(all.front());
  tell_both(first, {all.front()});
  g.wait();
  CHECK(n_elsewhere == 0);
}

TEST_CASE("a kernel for one kind of CUs is refused in a body on another one", "[roles]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  for (const yoke::compute_unit& each : rt.units().all()) {
    const bool is_gpu = each.dev != nullptr;
    const task one =
        g.run("other", {.on = {each.id}}, out(x), [](task_context& me, auto a) { fill_elsewhere(me, a); });
    CHECK_THROWS_WITH(one.wait(),
                      Contains(is_gpu ? "fill: launched on a GPU CU, and it is a kernel for CPU CUs"
                                      : "fill: launched on a CPU CU, and it is a kernel for GPU"));
  }
}
