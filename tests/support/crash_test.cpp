/// What is told of a program that ends by a signal.
#include <csignal>
#include <cstdlib>
#include <support/catch.hpp>
#include <support/child.hpp>
#include <support/crash.hpp>

namespace {

/// Set before Catch's handlers, which hand a signal on to these.
[[maybe_unused]] const bool tells_of_crashes = (support::tell_of_crashes(), true);

}  // namespace

TEST_CASE("a case that aborts", "[.child]") {
  support::set_stage("the first stage");
  support::set_stage("a stage whose name is known");
  std::abort();
}

TEST_CASE("a program that ends by a signal says in which stage, and by which calls", "[support]") {
  const support::ended_child met = support::run_child("a case that aborts");
  CHECK(WIFSIGNALED(met.status));
  CHECK(WTERMSIG(met.status) == SIGABRT);
  CHECK_THAT(met.message, Catch::Matchers::Contains("ended by signal 6 in thread"));
  CHECK_THAT(met.message, Catch::Matchers::Contains("stage: a stage whose name is known\n"));
  CHECK_THAT(met.message, Catch::Matchers::Contains("child(+0x"));
}
