#include "helpers.hpp"

#include <stdexcept>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>

using yoke::runtime;
using yoke::task_id;
using yoke::task_loop;

namespace {

std::atomic<int> counted{0};

/// Slow enough that a GPU CU's stream is behind its body.
struct count_slowly {
  YOKE_HD void operator()(yoke::item, int turns) const {
    for (volatile int i = 0; i < turns; i = i + 1) {
    }
    ++counted;
  }
};

struct refuse_one_item {
  YOKE_HD void operator()(yoke::item at, std::int64_t which, yoke::device_ptr<int> seen) const {
    if (at.x == which) throw std::runtime_error{"item " + std::to_string(which)};
    ++seen[at.x];
  }
};

struct refuse_every_item {
  YOKE_HD void operator()(yoke::item, int) const { throw std::runtime_error{"refused"}; }
};

struct refuse_third_item {
  YOKE_HD void operator()(yoke::item at, int) const {
    if (at.x == 2) throw std::runtime_error{"the third item"};
  }
};

using three = yoke::view<int, 1>;

struct beyond {
  YOKE_HD void operator()(yoke::item at, int, three x) const { x(at.x) = 1; }
};
struct beyond_3d {
  YOKE_HD void operator()(yoke::item_3d at, int, three x) const { x(at.z) = 1; }
};
struct beyond_in_blocks {
  YOKE_HD void operator()(const yoke::block& b, int, three x) const {
    b.for_each(1, [&](int) { x(b.x) = 1; });
  }
};

}  // namespace

TEST_CASE("nothing of a failed body is still running when run returns", "[runtime]") {
  runtime rt;
  counted = 0;
  std::atomic<int> launched{0};
  task_loop loop = rt.make_loop("static", {.n_tasks = rt.units().size()});
  CHECK_THROWS(rt.run(loop, [&](std::span<const task_id>) {
    yoke::launch_here<count_slowly>({.x = 50}, "count_slowly", 20000);
    ++launched;
    throw std::runtime_error{"after the launch"};
  }));
  CHECK(counted == 50 * launched);
}

TEST_CASE("an exception inside a kernel leaves run, from CPUs and emulated devices alike", "[runtime]") {
  runtime rt;
  task_loop loop = rt.make_loop("static", {.n_tasks = 1});
  CHECK_THROWS_WITH(rt.run(loop,
                           [&](std::span<const task_id>) {
                             yoke::launch_here<refuse_third_item>({.x = 9}, "refuse_third_item", 0);
                           }),
                    Catch::Contains("the third item"));
}

TEST_CASE("a kernel that is given an address of another space is stopped on an emulated device",
          "[runtime]") {
  runtime rt;
  if (rt.units().shape().cpu_units > 0) return support::skip("the task must run on a GPU CU");
  double value = 0;
  task_loop loop = rt.make_loop("static", {.n_tasks = 1});
  CHECK_THROWS_AS(rt.run(loop,
                         [&](std::span<const task_id>) {
                           yoke::launch_here<add_one>({.x = 1}, "add_one", yoke::device_ptr{&value});
                         }),
                  yoke::error);
  CHECK(value == 0);
}

TEST_CASE("whichever thread of a CU's team throws, its error is reported and the runtime goes on",
          "[runtime]") {
  runtime rt;
  if (rt.units().shape().cpu_units == 0) return support::skip("a team needs a CPU CU");
  constexpr int n = 9;
  // On CU 0 alone, which is a CPU CU.
  const auto run = [&](const auto& body) {
    task_loop loop =
        rt.make_loop(std::make_unique<broken_schedule>(std::vector<task_id>{task_id{0}}), {.n_tasks = 1});
    rt.run(loop, [&](std::span<const task_id>) { body(); });
  };
  std::vector<int> seen(n);
  for (std::int64_t which = 0; which < n; ++which) {
    CHECK_THROWS_WITH(run([&] {
                        yoke::launch_here<refuse_one_item>({.x = n}, "refuse_one_item", which,
                                                           yoke::device_ptr{seen.data()});
                      }),
                      Catch::Contains("item " + std::to_string(which)));
    CHECK_THROWS_WITH(run([&] { yoke::launch_here<refuse_every_item>({.x = n}, "refuse_every_item", 0); }),
                      "refused");
    seen.assign(n, 0);
    run([&] {
      yoke::launch_here<refuse_one_item>({.x = n}, "refuse_no_item", std::int64_t{-1},
                                         yoke::device_ptr{seen.data()});
    });
    CHECK(seen == std::vector<int>(n, 1));
  }
}

TEST_CASE("an index outside is told with kernel, argument and item, under YOKE_CHECK on CPU CUs too",
          "[runtime]") {
  using Catch::Matchers::Contains;
  const support::variable check{"YOKE_CHECK", "1"};
  runtime rt;
  yoke::placed<int> x{rt, 3};
  const auto told_of = [&](const auto& launch) {
    task_loop loop = rt.make_loop("static", {.n_tasks = 1});
    return support::refusal(
        [&] { rt.run(loop, [&](std::span<const task_id>) { launch(three{x.here(), {3}}); }); });
  };
  const auto is_told = [&](const std::string& name, const std::string& at) {
    const bool on_cpus = rt.units().shape().cpu_units > 0;
    return Contains("kernel '" + name + (on_cpus ? "' on a CPU CU: " : "': ") +
                    "a kernel used the index (3) of a view of 3 elements, its argument 2, counted from 1" +
                    at + "; stay inside, or make the view of all that is to be used");
  };
  CHECK_THAT(told_of([](three all) { yoke::launch_here<beyond>({.x = 4}, "beyond", 7, all); }),
             is_told("beyond", ", at item (3, 0)"));
  CHECK_THAT(told_of([](three all) { yoke::launch_3d_here<beyond_3d>({.x = 1, .z = 4}, "in 3d", 7, all); }),
             is_told("in 3d", ", at item (0, 0, 3)"));
  CHECK_THAT(
      told_of([](three all) { yoke::launch_blocks_here<beyond_in_blocks>({.x = 4}, 8, "blocks", 7, all); }),
      is_told("blocks", ""));
}
