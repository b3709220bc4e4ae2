// Groups that end where they would wait for themselves.
#include "gate.hpp"
#include "kernels.hpp"

#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <support/catch.hpp>
#include <support/child.hpp>

namespace {

using yoke::agent_context;
using yoke::task_context;
using yoke::task_group;

std::string message_of_abort(const char* test_case) {
  const support::ended_child met = support::run_child(test_case);
  return WIFSIGNALED(met.status) && WTERMSIG(met.status) == SIGABRT ? met.message : "(it has not aborted)";
}

}  // namespace

TEST_CASE("a group ends in a task", "[.child]") {
  yoke::runtime rt;
  std::optional<task_group> g{rt};
  g->run("own", [&](task_context&) { g.reset(); });
  rt.each_unit([](yoke::unit_id) {});
  std::this_thread::sleep_for(std::chrono::seconds{60});
}
TEST_CASE("a group ends in an agent", "[.child]") {
  yoke::runtime rt;
  std::optional<task_group> g{rt};
  g->spawn("own", [&](agent_context&) { g.reset(); });
  std::this_thread::sleep_for(std::chrono::seconds{60});
}
TEST_CASE("a group ends with the body of a task", "[.child]") {
  yoke::runtime rt;
  task_tests::gate closed;
  auto g = std::make_shared<task_group>(rt);
  task_group& same = *g;
  same.run("own", [g, closed = &closed](task_context& me) {
    if (!me.is_gpu()) closed->wait();
  });
  g.reset();
  closed.open();
  std::this_thread::sleep_for(std::chrono::seconds{60});
}
TEST_CASE("a task ends the program", "[.child]") {
  yoke::runtime rt;
  static std::optional<task_group> g;
  g.emplace(rt);
  g->run("own", [](task_context&) { std::exit(7); });
  std::this_thread::sleep_for(std::chrono::seconds{60});
}

TEST_CASE("a group that ends in a task or an agent of its own ends the program with a message", "[tasks]") {
  using Catch::Matchers::Contains;
  CHECK_THAT(message_of_abort("a group ends in a task"),
             Contains("yoke: a task_group ends in one of its own tasks, and would wait for itself"));
  const bool has_cpus =
      yoke::runtime{}.units().shape().cpu_units > 0;  // a GPU's body may end before the group does
  for (const char* const each : {"a group ends in an agent", "a group ends with the body of a task"}) {
    if (!has_cpus && std::string_view{each} == "a group ends with the body of a task") continue;
    CHECK_THAT(message_of_abort(each),
               Contains("yoke: a task_group ends with a task or in an agent of its own, and would wait"));
  }
}

#ifndef YOKE_SANITIZED  // the thread sanitizer tells of the threads that exit() leaves
TEST_CASE("a task may end the program", "[tasks]") {
  const support::ended_child met = support::run_child("a task ends the program");
  CHECK(WIFEXITED(met.status));
  CHECK(WEXITSTATUS(met.status) == 7);
}
#endif
