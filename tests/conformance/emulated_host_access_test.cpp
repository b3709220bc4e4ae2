#include "emulated_fixture.hpp"

#include <algorithm>
#include <csignal>
#include <support/catch.hpp>
#include <support/child.hpp>
#include <sys/wait.h>
#include <unistd.h>

// What the emulated device does beyond the conformance suite.

namespace {

using Catch::Matchers::Contains;
using conformance::fixture;
using conformance::launch_body;
using support::ended_child;
using support::run_child;

}  // namespace

TEST_CASE("a host access to a device address dies with a message that names the device", "[emulated]") {
#ifdef YOKE_SANITIZED
  support::skip("host access to a device address: the sanitizer reports the fault in its own way");
#else
  const char* by = GENERATE("a host access by the program", "a host access by a kernel");
  const ended_child child = run_child(by);
  CHECK(WIFSIGNALED(child.status));
  CHECK(WTERMSIG(child.status) == SIGSEGV);
  CHECK_THAT(child.message, Contains("yoke: host code touched 0x") &&
                                Contains("in the memory of emulated:0") && Contains("yoke::device_ptr") &&
                                Contains("migrate or copy"));
  CHECK(std::ranges::count(child.message, '\n') == 1);
#endif
}

TEST_CASE("a fault elsewhere goes to the handler that was there before", "[emulated]") {
#ifdef YOKE_SANITIZED
  support::skip("chaining of fault handlers: the sanitizer has a handler of its own");
#else
  const ended_child child = run_child("a fault with a handler of the program");
  CHECK(WIFEXITED(child.status));
  CHECK(WEXITSTATUS(child.status) == 7);
#endif
}

// deallocate is noexcept, so that no handler can throw out of it: the assertion is seen from outside.
TEST_CASE("freeing an address that the device did not allocate breaks an assertion",
          "[emulated][assertion]") {
  const ended_child child = run_child("an address is freed twice");
  CHECK(WIFEXITED(child.status));
  CHECK(WEXITSTATUS(child.status) == support::assertion_status);
  CHECK_THAT(child.message, Contains("freed on an emulated device that it did not allocate"));
}

// What the children of the tests above run.

TEST_CASE("an address is freed twice", "[.child]") {
  const fixture on;
  double* x = on.make(1);
  on.device->deallocate(x);
  support::exit_at_assertions();
  on.device->deallocate(x);
}

TEST_CASE("a host access by the program", "[.child]") {
  std::signal(SIGSEGV, SIG_DFL);  // instead of Catch2's own, which would report a failed test
  const fixture on;
  *static_cast<volatile double*>(on.make(1)) = 1;
}

TEST_CASE("a host access by a kernel", "[.child]") {
  std::signal(SIGSEGV, SIG_DFL);
  const fixture on;
  const auto touch = [x = static_cast<volatile double*>(on.make(1))] { *x = 1; };
  launch_body(*on.device, on.stream, touch);
  on.device->synchronize(on.stream);
}

TEST_CASE("a fault with a handler of the program", "[.child]") {
  std::signal(SIGSEGV, [](int) { _exit(7); });
  const fixture on;
  std::raise(SIGSEGV);
}
