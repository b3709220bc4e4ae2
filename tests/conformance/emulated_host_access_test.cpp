#include "emulated_fixture.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <string>
#include <support/catch.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <yoke/error.hpp>

// What the emulated device does beyond the conformance suite.

namespace {

using Catch::Matchers::Contains;
using conformance::fixture;
using conformance::launch_body;

struct ended_child {
  int status = 0;
  std::string message;  ///< what it wrote to stderr
};

/// Runs one test case of this program in a process of its own, where no fault handler has been installed yet.
ended_child run_child(const char* test_case) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(ends[1], STDERR_FILENO);
    execl("/proc/self/exe", "conformance_emulated", test_case, nullptr);
    _exit(1);
  }
  close(ends[1]);
  ended_child ended;
  std::array<char, 256> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;) {
    ended.message.append(part.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  waitpid(child, &ended.status, 0);
  return ended;
}

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
  CHECK(WEXITSTATUS(child.status) == 9);
  CHECK_THAT(child.message, Contains("freed on an emulated device that it did not allocate"));
}

// What the children of the tests above run.

TEST_CASE("an address is freed twice", "[.child]") {
  const fixture on;
  double* x = on.make(1);
  on.device->deallocate(x);
  yoke::detail::set_assertion_handler([](const std::string& message) {
    static_cast<void>(!write(STDERR_FILENO, message.data(), message.size()));
    _exit(9);
  });
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
