// What an engine says of what fails.
#include "telling.hpp"

#include <stdexcept>
#include <support/catch.hpp>
#include <support/child.hpp>
#include <support/errors.hpp>
#include <sys/wait.h>
#include <unistd.h>

using Catch::Contains;
using namespace engine_tests;  // NOLINT(google-build-using-namespace)

TEST_CASE("an error is thrown by each wait on what depends on it, and the rest goes on", "[engine]") {
  node on{1, 2};
  const piece x = on.add("x"), y = on.add("y");
  const completion fails =
      tell(on, on.engine->seat(0), doing("fails", [](const site&) { throw std::runtime_error{"no luck"}; }),
           {{x, role::out}});
  const completion depends = tell(on, on.engine->queue(first_gpu), nothing, {{x, role::in}, {y, role::out}});
  const completion follows = tell(on, on.engine->seat(1), nothing, {}, {depends});
  const completion other = tell(on, on.engine->seat(1), nothing);
  for (int times = 0; times < 2; ++times) {
    for (const completion& each : {fails, depends, follows}) CHECK(error_of(each) == "no luck");
  }
  other.wait();
  tell(on, on.engine->seat(0), filling(1), {{x, role::out}});
  tell(on, on.engine->queue(first_gpu), nothing, {{x, role::in}}).wait();
  on.engine->wait();  // it has been told
}

TEST_CASE("calls of a device that fail are errors of the work that they were for", "[engine]") {
  for (const bool is_copy : {false, true}) {
    yoke::emulated_options options{.memory = 1 << 20};
    (is_copy ? options.fail_copy : options.fail_launch) = 1;
    node on{1, 1, options};
    const piece x = on.add("x");
    tell(on, on.engine->seat(0), filling(3), {{x, role::out}});
    const auto launch = doing("launch", [](const site& at) {
      at.dev->launch(
          at.stream,
          {.name = "empty", .items = {.x = 1}, .host_entry = [](const void*, const yoke::item_range&) {}});
    });
    const completion first = tell(on, on.engine->queue(first_gpu), launch, {{x, role::in}});
    CHECK_THAT(error_of(first),
               Contains("emulated:0") && Contains(is_copy ? "fail-copy=1" : "fail-launch=1"));
    tell(on, on.engine->queue(first_gpu), launch, {{x, role::in}}).wait();
  }
}

TEST_CASE("what a kernel throws is the error of what its queue had, and of what depends on that",
          "[engine]") {
  node on{1, 1};
  const piece x = on.add("x"), y = on.add("y");
  const auto throwing = doing("throwing", [](const site& at) {
    at.dev->launch(
        at.stream,
        {.name = "throwing", .items = {.x = 1}, .host_entry = [](const void*, const yoke::item_range&) {
           throw std::runtime_error{"no luck"};
         }});
  });
  const completion before = tell(on, on.engine->queue(first_gpu), nothing, {{y, role::out}});
  before.wait();
  const completion fails = tell(on, on.engine->queue(first_gpu), throwing, {{x, role::out}});
  const completion depends = tell(on, on.engine->seat(0), nothing, {{x, role::in}});
  const completion other = tell(on, on.engine->queue(first_gpu, 1), nothing, {{y, role::in}});
  CHECK_THAT(error_of(depends), Contains("no luck"));
  CHECK_THAT(error_of(fails), Contains("no luck"));
  before.wait();
  other.wait();
  tell(on, on.engine->queue(first_gpu), nothing, {{x, role::out}}).wait();
  tell(on, on.engine->seat(0), nothing, {{x, role::in}}).wait();
}

TEST_CASE("a device that is lost takes its work with it, and no other", "[engine]") {
  node on{2, 1, {.memory = 1 << 20, .lost_after = 40}};
  const piece x = on.add("x"), y = on.add("y");
  tell(on, on.engine->seat(0), filling(3), {{x, role::out}});
  tell(on, on.engine->seat(0), filling(4), {{y, role::out}});
  completion end;
  std::string error = "(nothing was thrown)";
  for (int i = 0; i < 100 && error == "(nothing was thrown)"; ++i)
    error = error_of(tell(on, on.engine->queue(first_gpu), nothing, {{x, role::inout}}));
  CHECK_THAT(error, Contains("device lost"));
  CHECK(error_of(tell(on, on.engine->queue(second_gpu), nothing, {{x, role::in}})) == error);
  CHECK(error_of(tell(on, on.engine->queue(first_gpu), nothing)) == error);
  tell(on, on.engine->queue(second_gpu), nothing, {{y, role::in}}).wait();
  tell(on, on.engine->seat(0), filling(5), {{x, role::out}}).wait();
}

TEST_CASE("an error that nobody has been told is printed when the engine ends", "[engine]") {
  const support::ended_child child = support::run_child("an engine ends with an error");
  CHECK(WEXITSTATUS(child.status) == 0);
  CHECK_THAT(child.message, Contains("yoke: fails failed") && Contains("no luck"));
}
TEST_CASE("an engine ends with an error", "[.child]") {
  {
    node on{0, 1};
    tell(on, on.engine->seat(0), doing("fails", [](const site&) { throw std::runtime_error{"no luck"}; }));
  }
  _exit(0);
}

TEST_CASE("a forked child is told, and ends", "[engine]") {
  node on{0, 1};
  const completion end = tell(on, on.engine->seat(0), nothing);
  end.wait();
  const pid_t child = fork();
  if (child == 0) {
    const bool refuses =
        error_of(end).find("fork") != std::string::npos &&
        support::refusal([&] { tell(on, on.engine->seat(0), nothing); }).find("fork") != std::string::npos;
    on.engine.reset();
    _exit(refuses ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
