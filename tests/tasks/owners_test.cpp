// Objects and tokens that move, go, or are left by tasks that fail early.
#include "gate.hpp"
#include "kernels.hpp"

#include <atomic>
#include <chrono>
#include <malloc.h>
#include <memory>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>
#include <thread>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;
using yoke::task;
using yoke::task_context;
using yoke::task_group;

}  // namespace

TEST_CASE("an object may go as soon as its task was told", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  for (int i = 0; i < 2000; ++i) {
    auto x = std::make_unique<numbers>(rt, n, "x");
    fill(g, *x, i);
    if (i % 3 == 0) CHECK(std::as_const(*x).host()[0] == i);
  }
  g.wait();
}

TEST_CASE("tasks that are over leave nothing behind", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  const auto bytes_behind = [&](int n_tasks) {
    for (int i = 0; i < n_tasks; ++i) g.run("one", [](task_context&) {});
    g.wait();
    g.run("last", [](task_context&) {}).wait();  // the engine drops what is over when it is told of more
    return static_cast<double>(mallinfo2().uordblks);
  };
  const double warm = bytes_behind(20'000);
  double last = warm;
  for (int round = 0; round < 5; ++round) last = bytes_behind(20'000);
  // What has room for the most that there was at once may grow; a task that stays takes 800 bytes. A
  // sanitizer's own allocator says 0 both times, and finds what is lost by itself.
  CHECK(last - warm < 5 * 20'000 * 20.0);
}

TEST_CASE("an object may be moved while tasks wait for it", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  std::vector<numbers> all;
  for (int i = 0; i < 64; ++i) {
    all.emplace_back(rt, n, "x");
    fill(g, all.back(), i);
    add(g, all.back(), all.back(), 1);
  }
  g.wait();
  for (int i = 0; i < 64; ++i) CHECK(all[static_cast<std::size_t>(i)].host()[3] == 32 * i);
}

TEST_CASE("a token orders behind tasks that fail before they run", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().size() < 2) return support::skip("fewer than two CPU CUs");
  yoke::token t;
  numbers unwritten{rt, n, "unwritten"};
  std::atomic<bool> is_first_over{false}, was_early{false};
  g.run("first", {.on = {g.cpus()[0]}}, out(t), [&](task_context&) {
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    is_first_over = true;
  });
  const task bad =
      g.run("bad", {.on = {g.cpus()[1]}}, in(std::as_const(unwritten)), out(t), [](task_context&, auto) {});
  g.run("third", {.on = {g.cpus()[1]}}, out(t), [&](task_context&) { was_early = !is_first_over; });
  CHECK_THROWS_AS(bad.wait(), yoke::usage_error);
  g.wait();
  CHECK_FALSE(was_early);
}

TEST_CASE("a cancelled task leaves a token as if it had never been told", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  yoke::token t;
  gate closed;
  const yoke::task_options on{.on = {g.cpus().front()}};
  closed.hold(g, on);
  for (int i = 0; i < 3; ++i) g.run("late", on, inout(t), [](task_context&) {});
  g.cancel();
  closed.open();
  g.wait();
  int n_ran = 0;
  g.run("next", on, inout(t), [&](task_context&) { ++n_ran; });
  g.wait();
  CHECK(n_ran == 1);
}

TEST_CASE("a token, and a task in .after, of another group are refused while that has not ended", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt}, other{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  yoke::token t;
  gate closed;
  const task held = closed.hold(other, {.on = {g.cpus().front()}});
  const task of_other = other.run("of other", {.after = {held}}, out(t), [](task_context&) {});
  for (const bool by_token : {false, true}) {
    const std::string text = support::refusal([&] {
      by_token ? g.run("late", inout(t), [](task_context&) {})
               : g.run("late", {.after = {of_other}}, [](task_context&) {});
    });
    CHECK(text == "late: it is to come after of other, a task of another group; wait for that");
  }
  closed.open();
  other.wait();
  g.run("next", {.after = {of_other}}, inout(t), [](task_context&) {});
  g.wait();
}

TEST_CASE("a run begins before tasks that have no CPU CU yet", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  std::atomic<int> n_ran{0};
  for (int i = 0; i < 500; ++i)
    g.run("some", {.on = g.cpus()}, [&](task_context&) {
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
      ++n_ran;
    });
  int at_run = 0;
  rt.each_unit([&](yoke::unit_id unit) {
    if (unit == 0) at_run = n_ran;
  });
  CHECK(at_run < 400);
  g.wait();
  CHECK(n_ran == 500);
}

TEST_CASE("a task that fails behind a copy of placement is over in its turn", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.gpus().empty()) return support::skip("no device");
  numbers x{rt, n, "x"}, unwritten{rt, n, "unwritten"};
  x.host()[0] = 1;
  yoke::prefetch(x, g.gpus().front());
  const task bad = g.run("bad", in(std::as_const(unwritten)), inout(x), [](task_context&, auto, auto) {});
  CHECK_THROWS_AS(bad.wait(), yoke::usage_error);
}

TEST_CASE("a copy that fails is an error of the task that it was for", "[tasks]") {
  const support::variable fails{"YOKE_EMULATED", "fail-copy=1"};
  yoke::runtime rt;
  task_group g{rt};
  if (lacks_emulated_devices(rt)) return;
  numbers x{rt, n, "x"};
  x.host()[0] = 1;
  bool ran = false;
  g.run("on it", {.on = g.gpus()}, inout(x), [&](task_context&, auto) { ran = true; });
  CHECK_THROWS_AS(g.wait(), yoke::device_error);
  CHECK_FALSE(ran);
  g.wait();
}

TEST_CASE("an object whose only bytes went with a device says so", "[tasks]") {
  const support::variable lost{"YOKE_EMULATED", "lost-after=40"};
  yoke::runtime rt;
  task_group g{rt};
  if (lacks_emulated_devices(rt)) return;
  numbers x{rt, n, "x"};
  task last;
  for (int i = 0; i < 100; ++i)
    last = g.run("fill", {.on = {g.gpus().front()}}, out(x),
                 [i](task_context& me, auto a) { fill_in(me, a, i); });
  CHECK_THROWS_AS(last.wait(), yoke::device_error);
  CHECK_THROWS_AS(x.host(), yoke::device_error);
}
