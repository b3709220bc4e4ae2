#include "device_kernels.hpp"
#include "devices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <latch>
#include <memory>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <support/closed_stream.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <yoke/affinity.hpp>
#include <yoke/clock.hpp>
#include <yoke/emulated.hpp>
#include <yoke/error.hpp>

// What the emulated device does beyond the conformance suite.

namespace {

using Catch::Matchers::Contains;
using yoke::copy_kind;
using yoke::device_ptr;

struct fixture {
  std::unique_ptr<yoke::emulated_device> device;
  yoke::stream_handle stream;

  explicit fixture(const yoke::emulated_options& options = {.memory = 1 << 20})
      : device{yoke::make_emulated_device(0, options)}, stream{device->create_stream()} {}
  double* make(std::size_t n) const { return static_cast<double*>(device->allocate(n * sizeof(double))); }
};

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

/// Launches a host function as a kernel of one item.
template <class Body>
void launch_body(yoke::device& dev, yoke::stream_handle stream, const Body& body) {
  const Body* address = &body;
  dev.launch(stream,
             {.name = "body",
              .items = {.x = 1},
              .host_entry = [](const void* arguments,
                               const yoke::item_range&) { (**static_cast<const Body* const*>(arguments))(); },
              .arguments = &address,
              .argument_bytes = sizeof address});
}

}  // namespace

TEST_CASE("an emulated device gives all its memory, no more, and joins what is freed", "[emulated]") {
  const fixture on;
  std::vector<void*> all;
  while (void* address = on.device->allocate(1000)) all.push_back(address);
  CHECK(all.size() == 1024);
  CHECK(on.device->memory_free() == 0);
  CHECK(on.device->allocate(1) == nullptr);
  std::mt19937 random{3};
  std::ranges::shuffle(all, random);
  for (void* address : all) on.device->deallocate(address);
  CHECK(on.device->memory_free() == 1 << 20);
  void* whole = on.device->allocate(1 << 20);
  CHECK(whole != nullptr);
  on.device->deallocate(whole);
  on.device->deallocate(nullptr);
  CHECK(on.device->statistics().bytes_allocated == 0);
}

TEST_CASE("device memory never takes the number of a closed standard stream", "[emulated]") {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    bool is_free = false;
    {
      const support::closed_stream closed{number};
      const fixture on;
      is_free = closed.is_free();
    }
    CHECK(is_free);
  }
}

TEST_CASE("pages that were freed are given back to the system, and come again as zeros", "[emulated]") {
  const fixture on{{.memory = 64 << 20}};
  constexpr std::size_t bytes = 8 << 20;
  std::vector<char> host(bytes, 1);
  void* x = on.device->allocate(bytes);
  on.device->copy(on.stream, x, host.data(), bytes, copy_kind::host_to_device);
  on.device->synchronize(on.stream);
  on.device->deallocate(x);
  void* again = on.device->allocate(bytes);
  REQUIRE(again == x);
  on.device->copy(on.stream, host.data(), again, bytes, copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  CHECK(host == std::vector<char>(bytes, 0));
}

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

TEST_CASE("a kernel that is given another space's address fails and says which", "[emulated]") {
  const fixture on;
  const auto other = yoke::make_emulated_device(1, {.memory = 1 << 20});
  double host = 0;
  auto* foreign = static_cast<double*>(other->allocate(8));
  for (double* wrong : {&host, foreign}) {
    conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{wrong}, 1, 1);
    CHECK_THROWS_WITH(on.device->synchronize(on.stream), Contains("emulated:0: kernel 'add'"));
  }
  conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{&host}, 1, 1);
  CHECK_THROWS_AS(on.device->synchronize(on.stream), yoke::usage_error);
  on.device->synchronize(on.stream);
  CHECK(host == 0);
  other->deallocate(foreign);
}

TEST_CASE("an address of another space in a table is refused where the kernel comes to it", "[emulated]") {
  const fixture on;
  double* own = on.make(3);
  double host[3] = {-1, -1, -1};
  const device_ptr<double> rows[2] = {device_ptr{own}, device_ptr{host}};
  auto* table = static_cast<device_ptr<double>*>(on.device->allocate(sizeof rows));
  on.device->copy(on.stream, table, rows, sizeof rows, copy_kind::host_to_device);
  conformance::launch_number_rows(*on.device, on.stream, {.x = 3, .y = 2}, device_ptr{table});
  CHECK_THROWS_AS(on.device->synchronize(on.stream), yoke::usage_error);
  CHECK(std::ranges::count(host, -1.0) == 3);
  double written[3] = {};
  on.device->copy(on.stream, written, own, sizeof written, copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  CHECK(written[2] == 2);
}

TEST_CASE("an address that fits no space in a copy is refused when the copy is asked for", "[emulated]") {
  const fixture on;
  double* x = on.make(32);
  double host[64] = {};
  const auto refused = [&](void* to, const void* from, std::size_t bytes, copy_kind kind) {
    CHECK_THROWS_AS(on.device->copy(on.stream, to, from, bytes, kind), yoke::device_error);
  };
  refused(host, x, 33 * sizeof(double), copy_kind::device_to_host);
  refused(host, x + 33, 8, copy_kind::device_to_host);
  refused(host + 1, host, 8, copy_kind::device_to_host);
  refused(x, x + 1, 8, copy_kind::host_to_device);
  refused(host, x, 8, copy_kind::device_to_device);
  CHECK_THROWS_WITH(on.device->copy(on.stream, x, x, 8, copy_kind::host_to_device),
                    Contains("emulated:0: copying 8 bytes to the device failed") && Contains("host address"));
  on.device->deallocate(x);
  refused(host, x, 8, copy_kind::device_to_host);
  CHECK(on.device->statistics().copies == 0);
}

TEST_CASE("after a failure a stream skips what was queued, completes events and can be used again",
          "[emulated]") {
  const fixture on;
  double* x = on.make(1);
  double value = 5;
  std::unique_ptr<conformance::blocker> hold = std::make_unique<conformance::blocker>(*on.device, on.stream);
  conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{&value}, 1, 1);  // a host address
  on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device);
  const yoke::event behind{*on.device, on.stream};
  const yoke::stream_handle other = on.device->create_stream();
  behind.before(other);
  on.device->copy(other, x, &value, 8, copy_kind::host_to_device);
  hold->release();
  CHECK_THROWS_AS(behind.wait(), yoke::usage_error);
  CHECK(behind.done());
  CHECK_THROWS_AS(on.device->synchronize(other), yoke::usage_error);
  CHECK_THROWS_AS(on.device->synchronize(on.stream), yoke::usage_error);
  CHECK(on.device->statistics().copies == 0);
  on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device);
  on.device->synchronize(on.stream);
  CHECK(on.device->statistics().copies == 1);
  on.device->destroy_stream(other);
}

TEST_CASE("what was queued before a failure was reported is skipped after it too", "[emulated]") {
  const fixture on;
  double value = 5;
  double* x = on.make(1);
  const yoke::stream_handle other = on.device->create_stream();
  conformance::blocker hold{*on.device, other};
  conformance::blocker start{*on.device, on.stream};
  const yoke::event released{*on.device, other};
  conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{&value}, 1, 1);
  const yoke::event failed{*on.device, on.stream};
  released.before(on.stream);
  on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device);
  start.release();
  CHECK_THROWS(failed.wait());
  CHECK_THROWS_AS(on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device), yoke::usage_error);
  hold.release();
  on.device->synchronize(on.stream);
  CHECK(on.device->statistics().copies == 0);
  on.device->destroy_stream(other);
}

TEST_CASE("the n-th allocation, copy and launch fail as asked, and only those", "[emulated]") {
  const fixture on{{.memory = 1 << 20, .fail_alloc = 2, .fail_copy = 2, .fail_launch = 1}};
  double* x = on.make(1);
  CHECK(x != nullptr);
  CHECK(on.make(1) == nullptr);
  CHECK(on.make(1) != nullptr);
  double value = 1;
  const auto copy = [&] { on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device); };
  const auto launch = [&] { conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{x}, 1, 1); };
  copy();
  CHECK_THROWS_WITH(copy(),
                    Contains("emulated:0: copying 8 bytes to the device failed: call 2 of its kind, as "
                             "fail-copy=2 asks"));
  copy();
  CHECK_THROWS_WITH(launch(), Contains("launching kernel 'add' failed") && Contains("fail-launch=1"));
  launch();
  on.device->synchronize(on.stream);
  on.device->set_faults({});
  CHECK(on.make(1) != nullptr);
  CHECK(on.make(1) != nullptr);
}

TEST_CASE("the n-th call of any kind fails as asked, and only that one", "[emulated]") {
  const fixture on;
  double* x = on.make(1);
  double value = 1;
  for (const int n : {1, 2, 3}) {
    on.device->set_faults({.fail_call = n});
    std::vector<std::string> failed;
    const auto call = [&](const auto& one) {
      try {
        one();
      } catch (const yoke::device_error& met) {
        failed.emplace_back(met.what());
      }
    };
    call([&] { on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device); });
    call([&] { on.device->synchronize(on.stream); });
    call([&] { (void)on.make(1); });
    REQUIRE(failed.size() == 1);
    CHECK_THAT(failed[0], Contains(n == 1   ? "copying 8"
                                   : n == 2 ? "waiting"
                                            : "allocating 8") &&
                              Contains("as fail-call=" + std::to_string(n) + " asks"));
  }
}

TEST_CASE("every call of a lost device fails, except those that give back", "[emulated]") {
  const fixture on;
  double* x = on.make(1);
  void* pinned = on.device->allocate_pinned(8);
  const yoke::event_handle event = on.device->create_event();
  double value = 1;
  on.device->set_faults({.lost_after = 1});
  on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device);
  const auto lost = Contains("failed: device lost, as lost-after=1 asks");
  CHECK_THROWS_WITH(on.device->synchronize(on.stream), lost);
  CHECK_THROWS_WITH(on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device), lost);
  CHECK_THROWS_WITH(conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{x}, 1, 1), lost);
  CHECK_THROWS_WITH(on.device->synchronize(), lost);
  CHECK_THROWS_WITH(on.device->allocate(8), lost);
  CHECK_THROWS_WITH(on.device->allocate_pinned(8), lost);
  CHECK_THROWS_WITH(on.device->create_stream(), lost);
  CHECK_THROWS_WITH(on.device->create_event(), lost);
  CHECK_THROWS_WITH(on.device->record(event, on.stream), lost);
  CHECK_THROWS_WITH(on.device->wait(on.stream, event), lost);
  CHECK_THROWS_WITH(on.device->synchronize(event), lost);
  CHECK_THROWS_WITH(on.device->is_done(event), lost);
  CHECK_THROWS_WITH(on.device->begin_capture(on.stream), lost);
  on.device->deallocate(x);
  on.device->deallocate_pinned(pinned);
  on.device->destroy_event(event);
  on.device->destroy_stream(on.stream);
  CHECK(on.device->statistics().bytes_allocated == 0);
  CHECK(on.device->statistics().pinned_buffers == 0);
}

TEST_CASE("a capture refuses what a graph cannot hold and wrong nesting", "[emulated]") {
  const fixture on;
  const yoke::event_handle event = on.device->create_event();
  CHECK_THROWS_WITH(on.device->end_capture(on.stream), Contains("not recording a graph"));
  on.device->begin_capture(on.stream);
  CHECK_THROWS_WITH(on.device->begin_capture(on.stream), Contains("already"));
  CHECK_THROWS_WITH(on.device->record(event, on.stream), Contains("copies and launches only"));
  CHECK_THROWS_WITH(on.device->wait(on.stream, event), Contains("copies and launches only"));
  CHECK_THROWS_WITH(on.device->synchronize(on.stream), Contains("recording a graph"));
  on.device->destroy_graph(on.device->end_capture(on.stream));
  on.device->record(event, on.stream);
  on.device->destroy_event(event);
}

TEST_CASE("statistics count bytes by direction, calls and replays", "[emulated]") {
  const fixture on;
  double* x = on.make(2);
  double host[2] = {1, 2};
  on.device->copy(on.stream, x, host, 16, copy_kind::host_to_device);
  on.device->begin_capture(on.stream);
  on.device->copy(on.stream, x + 1, x, 8, copy_kind::device_to_device);
  conformance::launch_add(*on.device, on.stream, {2, 1}, device_ptr{x}, 2, 1);
  const yoke::graph_handle graph = on.device->end_capture(on.stream);
  on.device->replay(graph, on.stream);
  on.device->replay(graph, on.stream);
  on.device->copy(on.stream, host, x, 8, copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  const auto counted = on.device->statistics();
  CHECK(counted.bytes_to_device == 16);
  CHECK(counted.bytes_inside == 16);
  CHECK(counted.bytes_to_host == 8);
  CHECK(counted.copies == 4);
  CHECK(counted.launches == 2);
  CHECK(counted.replays == 2);
  CHECK(counted.allocations == 1);
  CHECK(counted.bytes_allocated == 256);
  on.device->destroy_graph(graph);
}

TEST_CASE("a slowdown of X makes a kernel take at least X times its own time", "[emulated]") {
  const fixture on{{.memory = 1 << 20, .slowdown = 20}};
  const yoke::event_handle from = on.device->create_timed_event(), to = on.device->create_timed_event();
  yoke::seconds own = 0;
  const auto body = [&own] {
    const yoke::ticks begin = yoke::now();
    for (int i = 0; i < 20; ++i) std::this_thread::yield();
    own = yoke::elapsed(begin, yoke::now());
  };
  for (int round = 0; round < 30; ++round) {  // some of them undisturbed
    on.device->record(from, on.stream);
    launch_body(*on.device, on.stream, body);
    on.device->record(to, on.stream);
    on.device->synchronize(on.stream);
    CHECK(own > 0);
    CHECK(on.device->seconds_between(from, to) >= 19.9 * own);  // never less, however busy the machine is
  }
  on.device->destroy_event(from);
  on.device->destroy_event(to);
}

TEST_CASE("a stream's thread may run on every CPU that the program was given", "[emulated]") {
  const fixture on;
  std::vector<int> cpus;
  const auto body = [&cpus] { cpus = yoke::affinity_of_this_thread(); };
  launch_body(*on.device, on.stream, body);
  on.device->synchronize(on.stream);
  CHECK(cpus == yoke::allowed_cpus_at_start());
}

TEST_CASE("a block kernel reads NaN where it has not written its shared memory", "[emulated]") {
  const fixture on;
  auto* x = static_cast<double*>(on.device->allocate(sizeof(double)));
  conformance::launch_read_unwritten(*on.device, on.stream, yoke::device_ptr{x});
  double value = 0;
  on.device->copy(on.stream, &value, x, sizeof value, yoke::copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  CHECK(std::isnan(value));
  on.device->deallocate(x);
}

TEST_CASE("a block kernel that writes behind its shared memory is reported by its name", "[emulated]") {
  const fixture on;
  conformance::launch_write_behind(*on.device, on.stream);
  CHECK_THROWS_WITH(on.device->synchronize(on.stream),
                    Catch::Contains("'write_behind'") && Catch::Contains("128 bytes of shared memory"));
}

TEST_CASE("a block that waits for what nobody has published is an error, not a hang", "[emulated]") {
  const fixture on;
  auto* counter = static_cast<int*>(on.device->allocate(sizeof(int)));
  const int zero = 0;
  on.device->copy(on.stream, counter, &zero, sizeof zero, yoke::copy_kind::host_to_device);
  conformance::launch_wait_in_vain(*on.device, on.stream, yoke::device_ptr{counter});
  CHECK_THROWS_WITH(on.device->synchronize(on.stream),
                    Catch::Contains("'wait_in_vain'") && Catch::Contains("progress 3 where 0 was published"));
  on.device->deallocate(counter);
}
