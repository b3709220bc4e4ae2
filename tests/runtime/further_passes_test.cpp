#include "helpers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <omp.h>
#include <stdexcept>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>
#include <vector>

#include <yoke/error.hpp>

using Catch::Matchers::Contains;
using yoke::pass_id;
using yoke::runtime;
using yoke::task_id;
using yoke::task_loop;
using yoke::unit_id;

namespace {

/// A map for some passes and another one afterwards.
class two_maps final : public by_map {
 public:
  two_maps(std::vector<unit_id> first, std::vector<unit_id> then, pass_id change, int n_units)
      : by_map{n_units}, maps_{std::move(first), std::move(then)}, change_{change} {}

  yoke::pass_plan plan_of(pass_id pass) const override {
    return {.map = map_of(pass), .until = pass < change_ ? change_ : yoke::pass_plan::for_good};
  }
  std::string describe() const override { return "two maps"; }

 private:
  const std::vector<unit_id>& map_of(pass_id pass) const override { return maps_[pass < change_ ? 0 : 1]; }

  std::array<std::vector<unit_id>, 2> maps_;
  pass_id change_;
};

/// How often each task ran in each of twelve passes. CUs' passes overlap, so a task may run in two at once.
class passes_run {
 public:
  explicit passes_run(int n_tasks) : n_tasks_{n_tasks}, times_(static_cast<std::size_t>(12 * n_tasks)) {}
  void add(std::span<const task_id> batch, pass_id pass) {
    for (const task_id task : batch) ++times_[static_cast<std::size_t>(pass * n_tasks_ + int{task})];
  }
  /// Each task once in passes 0 to n - 1, and not in others.
  bool all_are(pass_id n) const {
    for (std::size_t i = 0; i < times_.size(); ++i)
      if (times_[i] != (static_cast<pass_id>(i) < n * n_tasks_ ? 1 : 0)) return false;
    return true;
  }

 private:
  int n_tasks_;
  std::vector<std::atomic<int>> times_;
};

/// What all threads of this process compute while the calling one sleeps.
yoke::seconds spun_in(std::chrono::milliseconds time) {
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(time);
  return static_cast<yoke::seconds>(std::clock() - before) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("further passes follow under every schedule, each task once in each", "[runtime]") {
  runtime rt;
  for (const std::string& name : every_schedule()) {
    CAPTURE(name);
    task_loop loop = rt.make_loop(name, {.n_tasks = 24});
    passes_run ran{24};
    std::vector<pass_id> more{0, 3, 1, 5};
    pass_id follows = 2;
    bool in_order = true;
    rt.run(
        loop, 2, [&](std::span<const task_id> batch, pass_id pass) { ran.add(batch, pass); },
        [&](pass_id next) {
          in_order = in_order && next == follows;
          const pass_id passes = more.back();
          more.pop_back();
          follows += passes;
          return passes;
        });
    CHECK(in_order);
    CHECK(more.empty());
    CHECK(loop.pass() == 11);
    CHECK(ran.all_are(11));
    rt.run(loop, 1, [&](std::span<const task_id> batch, pass_id pass) { ran.add(batch, pass); });
    CHECK(ran.all_are(12));
  }
}

TEST_CASE("a run of no passes asks for further ones, and a loop of no tasks has them", "[runtime]") {
  runtime rt;
  for (const int n : {0, 5}) {
    task_loop loop = rt.make_loop("static", {.n_tasks = n});
    passes_run ran{n};
    int asked = 0;
    rt.run(
        loop, 0, [&](std::span<const task_id> batch, pass_id pass) { ran.add(batch, pass); },
        [&](pass_id) { return ++asked == 1 ? pass_id{4} : pass_id{0}; });
    CHECK(asked == 2);
    CHECK(loop.pass() == 4);
    CHECK(ran.all_are(4));
  }
}

TEST_CASE("CUs without tasks leave a run at once, and are back where the map gives them some", "[runtime]") {
  runtime rt;
  const int n_units = rt.units().size();
  const unit_id last{n_units - 1};
  std::vector<unit_id> both(8, unit_id{0});
  for (std::size_t task = 0; task < both.size(); task += 2) both[task] = last;
  auto plan = std::make_unique<two_maps>(std::vector<unit_id>(8, last), both, 6, n_units);
  const two_maps& schedule = *plan;
  task_loop loop = rt.make_loop(std::move(plan), {.n_tasks = 8});
  passes_run ran{8};
  int asked = 0;
  std::atomic<int> elsewhere{0};
  std::vector<pass_id> more{0, 4, 2};
  rt.run(
      loop, 4,
      [&](std::span<const task_id> batch, pass_id pass) {
        ran.add(batch, pass);
        if (pass < 6 && rt.units().calling().id != last) ++elsewhere;
      },
      [&](pass_id) {
        ++asked;
        const pass_id passes = more.back();
        more.pop_back();
        return passes;
      });
  CHECK(asked == 3);
  CHECK(elsewhere == 0);
  CHECK(ran.all_are(10));
  // Two calls a pass of each CU with tasks: one CU in passes 0 to 5, two of them or one in the other four.
  CHECK(schedule.asked == 2 * 6 + 2 * 4 * std::min(n_units, 2));
  CHECK(loop.pass() == 10);
}

TEST_CASE("a map with a CU that does not exist and fewer than no further passes are refused", "[runtime]") {
  runtime rt;
  const int n_units = rt.units().size();
  const auto nothing = [](std::span<const task_id>, pass_id) {};
  for (const int wrong : {-1, n_units, 1000000}) {
    const std::vector<unit_id> right(8, unit_id{0});
    std::vector<unit_id> map = right;
    map[5] = unit_id{wrong};
    task_loop at_once = rt.make_loop(std::make_unique<two_maps>(map, map, 1, n_units), {.n_tasks = 8});
    const std::string said = support::refusal([&] { rt.run(at_once, 1, nothing); });
    CHECK_THAT(said, Contains("task 5 on CU " + std::to_string(wrong)) && Contains("two maps"));
    task_loop later = rt.make_loop(std::make_unique<two_maps>(right, map, 2, n_units), {.n_tasks = 8});
    CHECK(support::refusal([&] { rt.run(later, 2, nothing, [](pass_id) { return pass_id{2}; }); }) == said);
  }
  const auto minus_one = [](pass_id) { return pass_id{-1}; };
  for (const pass_id passes : {pass_id{0}, pass_id{2}}) {
    task_loop loop = rt.make_loop("static", {.n_tasks = 8});
    CHECK_THROWS_WITH(rt.run(loop, passes, nothing, minus_one),
                      "run: -1 passes; the number of passes is 0 to 4611686018427387904");
  }
}

TEST_CASE("an error of a body or of whoever is asked for further passes ends the run on all CUs",
          "[runtime]") {
  runtime rt;
  const auto nothing = [](std::span<const task_id>, pass_id) {};
  task_loop loop = rt.make_loop("static", {.n_tasks = 8});
  CHECK_THROWS_WITH(rt.run(loop, 1, nothing, [](pass_id) -> pass_id { throw std::runtime_error{"no more"}; }),
                    "no more");
  CHECK(loop.is_stopped());
  CHECK_THROWS_AS(rt.run(loop, 1, nothing), yoke::usage_error);

  task_loop other = rt.make_loop("static", {.n_tasks = 8});
  const auto fails_later = [](std::span<const task_id> batch, pass_id pass) {
    if (pass == 3 && std::ranges::find(batch, task_id{0}) != batch.end()) throw std::runtime_error{"task 0"};
  };
  CHECK_THROWS_WITH(rt.run(other, 1, fails_later, [](pass_id) { return pass_id{1}; }), "task 0");
  CHECK(other.is_stopped());
}

TEST_CASE("a CU that got no task sleeps behind the run, and waits as OpenMP does behind the next one",
          "[runtime]") {
  runtime rt;
  if (rt.units().shape().text() != "2x1" || kmp_get_blocktime() != 200)
    return support::skip("needs 2x1 and the usual KMP_BLOCKTIME");
  task_loop one = rt.make_loop("static", {.n_tasks = 1});
  yoke::seconds spun = 1;
  for (int attempt = 0; attempt < 5 && spun >= 0.03; ++attempt) {  // on a busy machine a thread may be late
    rt.run(one, [](std::span<const task_id>) {});
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    spun = spun_in(std::chrono::milliseconds{100});
  }
  CHECK(spun < 0.03);

  task_loop two = rt.make_loop("static", {.n_tasks = 2});
  std::array<std::atomic<int>, 2> waits{};  // ms
  rt.run(two, [&](std::span<const task_id> batch) {
    waits[static_cast<std::size_t>(int{batch[0]})] = kmp_get_blocktime();
  });
  CHECK(waits[0] == 200);
  CHECK(waits[1] == 200);
}

TEST_CASE("after few passes all meet before one asks, after many the first to come to the last one does",
          "[runtime]") {
  runtime rt;
  if (rt.units().size() < 2) return support::skip("needs two CUs");
  const int n = rt.units().size();
  const unit_id slow{0};
  for (const pass_id passes : {pass_id{9}, pass_id{10}}) {
    CAPTURE(passes);
    task_loop loop = rt.make_loop("static", {.n_tasks = n});
    std::atomic<int> ran{0}, ran_when_asked{-1};
    std::atomic<bool> waited_in_vain{false};
    rt.run(
        loop, passes,
        [&](std::span<const task_id> batch, pass_id pass) {
          if (passes == 10 && pass == 5 && rt.units().calling().id == slow) {
            const yoke::ticks from = yoke::now();
            while (ran_when_asked < 0 && !waited_in_vain) {
              waited_in_vain = yoke::elapsed(from, yoke::now()) > 20;
              std::this_thread::yield();
            }
          }
          ran += static_cast<int>(batch.size());
        },
        [&](pass_id next) -> pass_id {
          if (ran_when_asked >= 0) return 0;
          CHECK(next == passes);
          ran_when_asked = ran.load();
          return 2;
        });
    CHECK_FALSE(waited_in_vain);
    CHECK((ran_when_asked == n * passes) == (passes == 9));
    CHECK(ran == n * (passes + 2));
    CHECK(loop.pass() == passes + 2);
  }
}
