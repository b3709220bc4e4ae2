// Replays that CPU CUs run by themselves, and tasks of one seat that run as one work of the engine.
#include "kernels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using yoke::task;
using yoke::task_context;
using yoke::task_group;

constexpr int n_objects = 5;

/// Says which task has failed, and in which replay.
struct failed {
  int replay, step;
};

struct step {
  int from, to, factor;
  bool overwrites, may_fail;
};

/// A value, or the failure that has broken it.
struct modelled {
  number value = 1;
  std::optional<failed> broken{};
};

class random_steps {
 public:
  explicit random_steps(std::mt19937& random) {
    const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    all.resize(static_cast<std::size_t>(2 + below(60)));
    for (step& each : all)
      each = {below(n_objects), below(n_objects), below(9), below(4) == 0, below(8) == 0};
  }

  /// As one after the other; the failure of the first that fails.
  std::optional<failed> run(std::array<modelled, n_objects>& on, int replay, bool fails) const {
    std::optional<failed> first;
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
      const step& of = all[static_cast<std::size_t>(i)];
      const modelled& from = on[static_cast<std::size_t>(of.from)];
      modelled& to = on[static_cast<std::size_t>(of.to)];
      std::optional<failed> why = of.overwrites ? std::nullopt : to.broken;  // in the order of the roles
      if (!why && of.from != of.to) why = from.broken;
      if (!why && fails && of.may_fail) why = failed{replay, i};
      if (why && !first) first = why;
      const number before = of.overwrites ? 0 : to.value;
      to = {.value = (31 * before + of.factor * (of.from == of.to ? 1 : from.value)) & 0xffffffff,
            .broken = why};
    }
    return first;
  }

  std::vector<step> all{};
};

/// What a step does: on the host, with what its roles say.
auto body_of(const step& of, int place, const std::atomic<int>& replay, const std::atomic<bool>& fails) {
  return [of, place, &replay, &fails](task_context&, auto to, auto... from) {
    if (fails && of.may_fail) throw failed{replay, place};
    const number before = of.overwrites ? 0 : to[0], other = (number{1} * ... * from[0]);
    to[0] = (31 * before + of.factor * other) & 0xffffffff;
  };
}

std::string text_of(const std::optional<failed>& why) {
  return why ? "task " + std::to_string(why->step) + " in replay " + std::to_string(why->replay) : "whole";
}

std::optional<failed> failure_of(const auto& call) {
  try {
    call();
    return std::nullopt;
  } catch (const failed& why) {
    return why;
  }
}

}  // namespace

TEST_CASE("random graphs that CPU CUs replay give what they give one after the other, failures too",
          "[recording]") {
  yoke::runtime rt;
  const std::uint32_t seed = support::seed();
  INFO("--rng-seed " << seed);
  std::mt19937 random{seed};
  for (int graph = 0; graph < 30; ++graph) {
    task_group g{rt};
    if (g.cpus().empty()) return support::skip("no CPU CU");
    std::vector<numbers> all;
    std::array<modelled, n_objects> model{};
    for (int i = 0; i < n_objects; ++i) {
      all.emplace_back(rt, 1, "one");
      all.back().host()[0] = 1;
    }
    const random_steps steps{random};
    std::atomic<int> replay{0};
    std::atomic<bool> fails{false};
    const auto recorded = g.record([&] {
      for (int i = 0; i < static_cast<int>(steps.all.size()); ++i) {
        const step& of = steps.all[static_cast<std::size_t>(i)];
        numbers& to = all[static_cast<std::size_t>(of.to)];
        const numbers& from = all[static_cast<std::size_t>(of.from)];
        const auto body = body_of(of, i, replay, fails);
        const yoke::task_options on{.on = g.cpus()};
        if (of.from == of.to)
          of.overwrites ? g.run("one", on, out(to), body) : g.run("one", on, inout(to), body);
        else
          of.overwrites ? g.run("two", on, out(to), in(from), body)
                        : g.run("two", on, inout(to), in(from), body);
      }
    });
    for (int i = 0; i < 8; ++i) {
      replay = i;
      fails = i > 3 && i % 2 == 0;
      const std::optional<failed> wanted = steps.run(model, i, fails);
      const task whole = recorded.replay();
      CHECK(text_of(failure_of([&] { whole.wait(); })) == text_of(wanted));
      static_cast<void>(failure_of([&] { g.wait(); }));
      for (std::size_t k = random() % 2; k < n_objects; k += 2) {  // who is told of a failure mends it
        number value = 0;
        const auto read = [&] { value = std::as_const(all[k]).host()[0]; };
        CHECK(text_of(failure_of(read)) == text_of(model[k].broken));
        if (std::exchange(model[k].broken, std::nullopt)) read(), model[k].value = value;
        CHECK(value == model[k].value);
      }
    }
  }
}

TEST_CASE("tasks beside replays come before or behind them, as they were told", "[recording]") {
  yoke::runtime rt;
  task_group g{rt}, other{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  numbers x{rt, 1, "x"}, y{rt, 1, "y"};
  x.host()[0] = y.host()[0] = 0;
  const yoke::task_options on{.on = g.cpus()};
  const auto recorded = g.record([&] {
    for (int i = 0; i < 20; ++i) {
      g.run("add", on, inout(x), [](task_context&, auto a) { ++a[0]; });
      g.run("take", on, in(x), inout(y), [](task_context&, auto a, auto b) { b[0] += a[0]; });
    }
  });
  number in_x = 0, in_y = 0;
  for (int i = 0; i < 40; ++i) {
    recorded.replay();
    if (i < 3) g.wait();
    for (int k = 0; k < 20; ++k) in_y += ++in_x;
    g.run("halve", on, inout(x), [](task_context&, auto a) { a[0] /= 2; });
    in_x /= 2;
    if (i % 9 == 4) CHECK(std::as_const(y).host()[0] == in_y);
    if (i % 9 == 7) {
      x.host()[0] += 5;
      in_x += 5;
    }
    other.run("beside", {.on = g.cpus()}, [](task_context&) {}).wait();
  }
  g.wait();
  CHECK(recorded.is_planned());
  CHECK(std::as_const(x).host()[0] == in_x);
  CHECK(std::as_const(y).host()[0] == in_y);
}

TEST_CASE("what comes after a short task does not wait for those that its seat runs behind it", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().size() < 2) return support::skip("fewer than two CPU CUs");
  const yoke::task_options here{.on = {g.cpus()[0]}};
  std::atomic<bool> may_end{false};
  const auto waits = [&](task_context&) {
    while (!may_end) std::this_thread::yield();
  };
  for (int round = 0; round < 300; ++round) {
    may_end = false;
    const task first = g.run("first", here, [](task_context&) {});
    const auto tell_next = [&] {
      g.run("next", {.on = {g.cpus()[1]}, .after = {first}}, [&](task_context&) { may_end = true; });
    };
    if (round % 2 == 0) tell_next();
    for (int i = 0; i < 3; ++i) g.run("behind", here, waits);
    if (round % 2 == 1) tell_next();
    g.wait();
  }
  CHECK(may_end);
}

TEST_CASE("a body may own the object that its task and those before it use", "[tasks]") {
  yoke::runtime rt;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  std::atomic<number> sum{0};  // tasks of two rounds may run at once
  for (int round = 0; round < 50; ++round) {
    auto x = std::make_shared<numbers>(rt, 1, "x");
    x->host()[0] = round;
    for (int i = 0; i < 3; ++i)
      g.run("add", {.on = g.cpus()}, inout(*x), [](task_context&, auto a) { ++a[0]; });
    g.run("last", {.on = g.cpus()}, inout(*x), [x, &sum](task_context&, auto a) { sum += a[0]; });
    x.reset();
    if (round % 7 == 0) g.wait();
  }
  g.wait();
  CHECK(sum == 50 * 49 / 2 + 3 * 50);
}
