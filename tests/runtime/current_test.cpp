#include "helpers.hpp"

#include <memory>
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

TEST_CASE("regions are those of the current runtime", "[runtime]") {
  double value = 0;
  runtime first;
  yoke::placement::register_mem(&value, sizeof value);
  {
    const runtime second;
    CHECK_THROWS_AS(yoke::placement::placement_of(&value), yoke::usage_error);
  }
  CHECK(yoke::placement::placement_of(&value) == yoke::host_space);
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
