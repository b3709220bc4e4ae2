// Where checks are on: what the program may do with the host's bytes of a region.
#include "kernels.hpp"
#include "parts.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <support/catch.hpp>
#include <support/child.hpp>
#include <support/errors.hpp>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/host_guards.hpp>

namespace {

namespace placement = yoke::placement;
using Catch::Matchers::Contains;
using spaces::first;
using spaces::parts;
using spaces::second;
using support::message_of;
using support::run_child;
using yoke::host_space;
using yoke::placed;

constexpr std::size_t n_guarded = 10000;  // some pages

/// A byte that reading and writing needs rights for.
void read(const double* at) { static_cast<void>(*static_cast<const volatile double*>(at)); }
void write(double* at) { *static_cast<volatile double*>(at) = 7; }

/// Unit 0 is a CPU's, 1 and 2 are those of two devices.
struct guarded_fixture {
  spaces::two_devices devices;
  parts runtime{1, *devices.a, *devices.b};
  std::vector<double> data = spaces::counting(n_guarded), few = spaces::counting(10);
  yoke::key const key = data.data(), small = few.data();

  explicit guarded_fixture(bool checks = true) {
    if (checks) yoke::detail::guard_host_copies(runtime.memory());
    placement::register_mem(key, n_guarded * sizeof(double));
    placement::register_mem(small, few.size() * sizeof(double));
  }
  ~guarded_fixture() {
    placement::unregister_mem(key);
    placement::unregister_mem(small);
  }
  guarded_fixture(const guarded_fixture&) = delete;
  guarded_fixture& operator=(const guarded_fixture&) = delete;

  double* middle() { return data.data() + n_guarded / 2; }
  /// On the device without the host knowing.
  void scale(yoke::key what, std::size_t size) const {
    parts::as(1, [&] {
      yoke::launch_here<kernels::scale_doubles>(kernels::over(size), "scale",
                                                placement::migrate_here<double>(what), 2.0);
      runtime.finish(1);
    });
  }
};

/// Ends by a SIGSEGV, with a message that names the region.
void dies_with_names(const char* test_case, const char* why) {
#ifdef YOKE_SANITIZED
  static_cast<void>(test_case);
  static_cast<void>(why);
#else
  CAPTURE(test_case);
  const support::ended_child child = run_child(test_case);
  CHECK(WIFSIGNALED(child.status));
  CHECK(WTERMSIG(child.status) == SIGSEGV);
  CHECK_THAT(child.message, Contains("yoke: host code touched 0x") && Contains("in region ") &&
                                Contains("(80000 bytes") && Contains(why) &&
                                Contains("migrate it to the host first"));
  CHECK(std::ranges::count(child.message, '\n') == 1);
#endif
}

}  // namespace

TEST_CASE("a host access to what is placed elsewhere ends the process with names", "[placement][guard]") {
  dies_with_names("old bytes are read", "placed in space 1 (emulated:0)");
  dies_with_names("old bytes are written", "placed in space 2 (emulated:1)");
  dies_with_names("a copy for reading is written", "copies for reading elsewhere");
  dies_with_names("what others read is written", "copies for reading elsewhere");
  dies_with_names("a reserved region without host pages is read", "placed in space 1 (emulated:0)");
  dies_with_names("a reserved region that is placed nowhere is read", "placed nowhere yet");
  dies_with_names("old bytes are read behind a prefetch", "placed in space 1 (emulated:0)");
}

TEST_CASE("the host may read and write what is placed there, and read what is there for reading",
          "[placement][guard]") {
  guarded_fixture on;
  on.scale(on.key, n_guarded);
  placement::migrate(on.key, host_space);
  CHECK(on.data == [] {
    std::vector<double> twice = spaces::counting(n_guarded);
    for (double& each : twice) each *= 2;
    return twice;
  }());
  write(on.middle());
  on.scale(on.key, n_guarded);
  CHECK(static_cast<const double*>(placement::read_here(on.key))[n_guarded / 2] == 14);
  read(on.middle());
  placement::migrate(on.key, host_space);
  write(on.middle());
  parts::as(2, [&] { static_cast<void>(placement::read_here(on.key)); });
  read(on.middle());
  placement::migrate(on.key, host_space);  // to write: the copy of the device is old from here on
  write(on.middle());
}

TEST_CASE("what belongs to the program again has all rights", "[placement][guard]") {
  guarded_fixture on;
  std::vector<double> mine(n_guarded, 1);
  {
    placed<double> x{on.runtime, std::span{mine}};
    parts::as(1, [&] { static_cast<void>(x.here()); });
  }
  write(mine.data() + n_guarded / 2);
  placement::register_mem(mine.data(), n_guarded * sizeof(double));
  placement::migrate(mine.data(), first);
  placement::unregister_mem(mine.data());
  write(mine.data() + n_guarded / 2);
  CHECK(mine[n_guarded / 2] == 7);
}

TEST_CASE("a copy that the program has filled by hand is its own until the next write",
          "[placement][guard]") {
  guarded_fixture on;
  on.scale(on.key, n_guarded);
  placement::copy(on.key, first, host_space);
  CHECK(*on.middle() == 2 * (n_guarded / 2 + 1));
  write(on.middle());
  placement::copy(on.key, host_space, first);
  placement::migrate(on.key, host_space);
  CHECK(*on.middle() == 7);
}

TEST_CASE("a copy between addresses of guarded bytes is refused with names", "[placement][guard]") {
  guarded_fixture on;
  on.scale(on.key, n_guarded);
  std::vector<double> to(10);
  const auto copied = [&](const void* from, void* into) {
    return message_of<yoke::usage_error>(
        [&] { placement::copy(from, host_space, into, host_space, 10 * sizeof(double)); });
  };
  CHECK_THAT(copied(on.middle(), to.data()), Contains("from the host's address") &&
                                                 Contains("placed in space 1 (emulated:0)") &&
                                                 Contains("migrate it to the host"));
  CHECK_THAT(copied(to.data(), on.middle()), Contains("to the host's address"));
  placement::migrate(on.key, host_space);
  CHECK(copied(on.middle(), to.data()) == "(nothing was thrown)");
}

TEST_CASE("who writes beside whole pages is told when the region is next asked for", "[placement][guard]") {
  guarded_fixture on;
  on.scale(on.small, on.few.size());
  write(on.few.data());
  const std::string refused =
      message_of<yoke::usage_error>([&] { placement::migrate(on.small, host_space); });
  CHECK_THAT(refused, Contains("(80 bytes): the program has written to the host's bytes") &&
                          Contains("placed in space 1 (emulated:0)") && Contains("overwrites that"));
  CHECK(placement::placement_of(on.small) == first);
}

TEST_CASE("who writes in a small region that others read is told by the next reader", "[placement][guard]") {
  guarded_fixture on;
  const auto read_on_device = [&] {
    parts::as(1, [&] { static_cast<void>(placement::read_here(on.small)); });
  };
  read_on_device();
  write(on.few.data());
  CHECK_THAT(message_of<yoke::usage_error>(read_on_device), Contains("copies for reading elsewhere"));
  CHECK_THAT(message_of<yoke::usage_error>([&] { placement::migrate(on.small, second); }),
             Contains("has written"));
}

TEST_CASE("memory that is not the program's to write stays as it is", "[placement][guard]") {
  guarded_fixture on;
  static const std::array<double, 4096> constants{1, 2, 3};
  placement::register_mem(constants.data(), sizeof constants);
  parts::as(1, [&] { static_cast<void>(placement::read_here(constants.data())); });
  read(constants.data() + 2048);
  placement::unregister_mem(constants.data());
}

TEST_CASE("a forked child may end what the parent has placed elsewhere", "[placement][guard]") {
  guarded_fixture on;
  on.scale(on.key, n_guarded);
  const pid_t child = fork();
  if (child == 0) {
    write(on.middle());
    _exit(on.data[n_guarded / 2] == 7 ? 4 : 5);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 4);
}

TEST_CASE("without checks nothing is guarded", "[placement][guard]") {
  guarded_fixture on{false};
  on.scale(on.key, n_guarded);
  write(on.middle());
  CHECK(*on.middle() == 7);
}

// What the children of the first test run.

TEST_CASE("old bytes are read", "[.child]") {
  std::signal(SIGSEGV, SIG_DFL);  // instead of Catch2's own
  guarded_fixture on;
  on.scale(on.key, n_guarded);
  read(on.middle());
}

TEST_CASE("old bytes are written", "[.child]") {
  std::signal(SIGSEGV, SIG_DFL);
  guarded_fixture on;
  placement::migrate(on.key, second);
  write(on.middle());
}

TEST_CASE("a copy for reading is written", "[.child]") {
  std::signal(SIGSEGV, SIG_DFL);
  guarded_fixture on;
  on.scale(on.key, n_guarded);
  write(static_cast<double*>(const_cast<void*>(placement::read_here(on.key))) + n_guarded / 2);
}

TEST_CASE("what others read is written", "[.child]") {
  std::signal(SIGSEGV, SIG_DFL);
  guarded_fixture on;
  parts::as(1, [&] { static_cast<void>(placement::read_here(on.key)); });
  write(on.middle());
}

TEST_CASE("a reserved region without host pages is read", "[.child]") {
  std::signal(SIGSEGV, SIG_DFL);
  guarded_fixture on;
  auto* const reserved = static_cast<double*>(placement::reserve(n_guarded * sizeof(double)));
  placement::migrate(reserved, first);
  read(reserved + n_guarded / 2);
}

TEST_CASE("a reserved region that is placed nowhere is read", "[.child]") {
  std::signal(SIGSEGV, SIG_DFL);
  guarded_fixture on;
  read(static_cast<double*>(placement::reserve(n_guarded * sizeof(double))) + n_guarded / 2);
}

TEST_CASE("old bytes are read behind a prefetch", "[.child]") {
  std::signal(SIGSEGV, SIG_DFL);
  guarded_fixture on;
  placed<double> x{on.runtime, n_guarded};
  x.host()[n_guarded / 2] = 1;
  yoke::prefetch(x, yoke::unit_id{1});
  read(static_cast<const double*>(x.key()) + n_guarded / 2);
}
