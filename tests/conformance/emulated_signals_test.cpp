#include "emulated_fixture.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <string>
#include <support/catch.hpp>
#include <support/child.hpp>
#include <support/errors.hpp>
#include <support/limit.hpp>
#include <support/variable.hpp>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <yoke/error.hpp>

// What a process does with an emulated device that has a handler of faults, and threads: it ends as any
// other.

namespace {

using Catch::Matchers::Contains;
using conformance::fixture;
using conformance::launch_body;
using support::ended_child;
using support::run_child;

void send(const std::string& way, int signal) {
  const auto thread = static_cast<pid_t>(syscall(SYS_gettid));
  if (way == "raise") std::raise(signal);
  if (way == "kill") kill(getpid(), signal);
  if (way == "tgkill") syscall(SYS_tgkill, getpid(), thread, signal);
  if (way == "sigqueue") sigqueue(getpid(), signal, sigval{.sival_int = 7});
}

/// A signal to the process may go to another thread, and take a while.
[[noreturn]] void end_unless_ended() {
  for (unsigned seconds = 10; seconds > 0;) seconds = sleep(seconds);
  _exit(1);
}

int number_of(const std::string& name) { return name == "SIGSEGV" ? SIGSEGV : SIGBUS; }

std::string setting(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

}  // namespace

TEST_CASE("a signal that somebody sends ends the process as without an emulated device", "[emulated]") {
#ifdef YOKE_SANITIZED
  support::skip("signals that are sent: the sanitizer has a handler of its own");
#else
  const std::string name = GENERATE("SIGSEGV", "SIGBUS");
  const std::string way = GENERATE("raise", "kill", "tgkill", "sigqueue");
  CAPTURE(name, way);
  const support::variable of_signal{"SENT_SIGNAL", name}, of_way{"SENT_BY", way};
  const ended_child child = run_child("a signal is sent");
  CHECK(WIFSIGNALED(child.status));
  CHECK(WTERMSIG(child.status) == number_of(name));
  CHECK(child.message.empty());
#endif
}

TEST_CASE(
    "a signal that was sent and is ignored changes nothing, and one that is handled comes to its handler",
    "[emulated]") {
#ifdef YOKE_SANITIZED
  support::skip("signals that are sent: the sanitizer has a handler of its own");
#else
  const support::variable of_signal{"SENT_SIGNAL", "SIGSEGV"};
  const support::variable of_way{"SENT_BY", GENERATE("raise", "kill", "tgkill", "sigqueue")};
  const ended_child ignored = run_child("a signal is ignored and sent");
  CHECK(WIFEXITED(ignored.status));
  CHECK(WEXITSTATUS(ignored.status) == 3);
  const ended_child handled = run_child("a signal is handled once and sent twice");
  CHECK_THAT(handled.message, Contains("handled 1 time"));
  CHECK(WIFSIGNALED(handled.status));
  CHECK(WTERMSIG(handled.status) == SIGSEGV);
#endif
}

TEST_CASE("exit() in a kernel ends the process with its status and flushes what was printed", "[emulated]") {
  const char* const of =
      GENERATE("a kernel of a static device exits", "a kernel exits beside another stream");
  CAPTURE(of);
  const ended_child child = run_child(of);
  CHECK(WIFEXITED(child.status));
  CHECK(WEXITSTATUS(child.status) == 5);
  CHECK_THAT(child.message, Contains("printed before"));
}

TEST_CASE("a kernel that waits for its own stream is refused", "[emulated]") {
  const fixture on;
  std::string by_stream, by_device;
  const auto wait = [&] {
    by_stream = support::message_of<yoke::device_error>([&] { on.device->synchronize(on.stream); });
    by_device = support::message_of<yoke::device_error>([&] { on.device->synchronize(); });
  };
  launch_body(*on.device, on.stream, wait);
  on.device->synchronize(on.stream);
  CHECK_THAT(by_stream, Contains("waiting for a stream failed: a kernel calls it"));
  CHECK_THAT(by_device, Contains("waiting for the device failed: a kernel calls it"));
}

TEST_CASE("a limit of the size of files that a device's memory does not fit is named", "[emulated]") {
  const support::limit small_files{RLIMIT_FSIZE, std::size_t{1} << 20};
  const std::string refused = support::message_of<yoke::device_error>(
      [] { yoke::make_emulated_device(0, {.memory = std::size_t{1} << 30}); });
  CHECK_NOTHROW(yoke::make_emulated_device(0, {.memory = std::size_t{1} << 16}));
  CHECK_THAT(refused, Contains("emulated:0") && Contains("1073741824 bytes") && Contains("1048576 bytes") &&
                          Contains("ulimit -f") && Contains("memory="));
}

// What the children of the tests above run.

TEST_CASE("a signal is sent", "[.child]") {
  const int signal = number_of(setting("SENT_SIGNAL"));
  std::signal(signal, SIG_DFL);  // instead of Catch2's own
  const fixture on;
  send(setting("SENT_BY"), signal);
  end_unless_ended();
}

TEST_CASE("a signal is ignored and sent", "[.child]") {
  std::signal(SIGSEGV, SIG_IGN);
  const fixture on;
  send(setting("SENT_BY"), SIGSEGV);
  _exit(3);
}

TEST_CASE("a signal is handled once and sent twice", "[.child]") {
  struct sigaction once{};
  once.sa_handler = [](int) { static_cast<void>(!write(STDERR_FILENO, "handled 1 time\n", 15)); };
  once.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGSEGV, &once, nullptr);
  const fixture on;
  send(setting("SENT_BY"), SIGSEGV);
  send(setting("SENT_BY"), SIGSEGV);
  end_unless_ended();
}

namespace {

/// To a buffer that exit() writes out.
void print_before() {
  static std::FILE* const out = fdopen(STDERR_FILENO, "w");
  static std::array<char, 4096> buffer;
  std::setvbuf(out, buffer.data(), _IOFBF, buffer.size());
  std::fputs("printed before\n", out);
}

}  // namespace

namespace {

/// The main thread touches nothing any more that exit() ends.
void wait_for_exit(std::latch& all_queued) {
  all_queued.count_down();
  std::latch{1}.wait();
}

}  // namespace

TEST_CASE("a kernel of a static device exits", "[.child]") {
  static const fixture on;
  print_before();
  std::latch queued{1};
  const auto leave = [&] { queued.wait(), std::exit(5); };  // NOLINT(concurrency-mt-unsafe)
  launch_body(*on.device, on.stream, leave);
  wait_for_exit(queued);
}

TEST_CASE("a kernel exits beside another stream", "[.child]") {
  static const fixture on;
  static const yoke::stream_handle other = on.device->create_stream();
  print_before();
  std::latch queued{1};
  const auto leave = [&] { queued.wait(), std::exit(5); };  // NOLINT(concurrency-mt-unsafe)
  launch_body(*on.device, on.stream, leave);
  const yoke::event_handle behind = on.device->create_event();
  on.device->record(behind, on.stream);
  on.device->wait(other, behind);  // for ever, so that who joins the other stream's thread hangs
  wait_for_exit(queued);
}
