#include "helpers.hpp"

#include <fmt/format.h>
#include <memory>
#include <string>
#include <support/catch.hpp>

using yoke::runtime;
using yoke::task_id;

TEST_CASE("the last runtime made is current, and its end makes the one before current", "[runtime]") {
  runtime first;
  CHECK(&runtime::current() == &first);
  {
    runtime second;
    CHECK(&runtime::current() == &second);
    first.make_current();
    CHECK(&runtime::current() == &first);
    second.make_current();
  }
  CHECK(&runtime::current() == &first);
  auto third = std::make_unique<runtime>();
  first.make_current();
  third.reset();
  CHECK(&runtime::current() == &first);
}

TEST_CASE("a key belongs to the runtime it was registered with, whichever is current", "[runtime]") {
  double value = 1, other = 2;
  runtime first;
  yoke::placement::register_mem(&value, sizeof value);
  {
    const runtime second;
    yoke::placement::migrate(&value, yoke::space_id{1});
    CHECK(first.memory().placement_of(&value) == yoke::space_id{1});
    CHECK_THROWS_WITH(
        yoke::placement::register_mem(&value, sizeof value),
        fmt::format("region at {0} (8 bytes) overlaps region 1 at {0} (8 bytes), which is registered "
                    "with another runtime; unregister it there first",
                    static_cast<const void*>(&value)));
    yoke::placement::register_mem(&other, sizeof other);
    CHECK(yoke::placement::placement_of(&other) == yoke::host_space);
  }
  CHECK(yoke::placement::placement_of(&value) == yoke::space_id{1});
  CHECK_THROWS_AS(yoke::placement::placement_of(&other), yoke::usage_error);
  yoke::placement::migrate(&value, yoke::host_space);
  CHECK(value == 1);
}

TEST_CASE("in a run of another runtime a key needs a space that is named", "[runtime]") {
  double value = 1;
  runtime first;
  yoke::placement::register_mem(&value, sizeof value);
  runtime second;
  yoke::task_loop loop = second.make_loop("static", {.n_tasks = 1});
  CHECK_THROWS_WITH(second.run(loop, [&](std::span<const task_id>) { yoke::placement::migrate(&value); }),
                    "placement: the region belongs to a runtime that is not the current one, so the calling "
                    "unit has no space there; call it in a run of that runtime, or name the space");
  yoke::task_loop named = second.make_loop("static", {.n_tasks = 1});
  second.run(named, [&](std::span<const task_id>) { yoke::placement::migrate(&value, yoke::unit_id{1}); });
  CHECK(yoke::placement::placement_of(&value) == yoke::space_id{1});
}

// Run by itself: in this process there is no other runtime.
TEST_CASE("a key that outlives its runtime does not make another", "[.][after-a-runtime]") {
  double value = 1;
  {
    const runtime rt;
    yoke::placement::register_mem(&value, sizeof value);
  }
  const std::string says = fmt::format(
      "{} is not the key of a region, because there is no runtime; make a yoke::runtime first and "
      "keep it while regions are used",
      static_cast<const void*>(&value));
  CHECK_THROWS_WITH(yoke::placement::unregister_mem(&value), says);
  CHECK_THROWS_WITH(yoke::placement::migrate(&value), says);
  CHECK(yoke::detail::current_regions().peek() == nullptr);
}

TEST_CASE("inside a run its runtime is current, whatever is made current meanwhile", "[runtime]") {
  runtime first;
  runtime second;
  yoke::task_loop loop = first.make_loop("static", {.n_tasks = 4});
  std::atomic<int> others{0};
  first.run(loop, [&](std::span<const task_id>) {
    second.make_current();
    if (&runtime::current() != &first) ++others;
  });
  CHECK(others == 0);
  CHECK(&runtime::current() == &second);
}

TEST_CASE("where no runtime was made the environment makes one", "[runtime]") {
  runtime& made = runtime::current();
  CHECK(&runtime::current() == &made);
  CHECK(yoke::cu::n_cus() == 2);
  {
    runtime own;
    CHECK(&runtime::current() == &own);
  }
  CHECK(&runtime::current() == &made);
}
