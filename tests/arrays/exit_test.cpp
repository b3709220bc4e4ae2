// Programs that end by exit() where their units are at work, and programs that read on the host what is not
// there.
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <memory>
#include <span>
#include <support/catch.hpp>
#include <support/child.hpp>
#include <support/variable.hpp>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/endings.hpp>
#include <yoke/yoke.hpp>

namespace {

using namespace yoke::loops;
using Catch::Matchers::Contains;
using support::run_child;

constexpr std::int64_t n = 10000;

[[noreturn]] void leave() { std::exit(5); }  // NOLINT(concurrency-mt-unsafe)

/// Behind a launch the main thread goes on, and may not meet what exit() has ended.
std::latch all_queued{1};
[[noreturn]] void wait_for_exit() {
  all_queued.count_down();
  std::latch{1}.wait();
  std::abort();
}

struct leave_at {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x, std::int64_t where) const {
#if !YOKE_DEVICE_PASS
    if (at.x == where) leave();
#endif
    x[at.x] = 1;
  }
};
struct leave_at_index {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, std::int64_t where) const {
#if !YOKE_DEVICE_PASS
    if (at.i == where) {
      if (yoke::detail::is_thread_of_device) all_queued.wait();
      leave();
    }
#endif
    x(at) = 1;
  }
};
struct double_all {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x) const { x[at.x] *= 2; }
};

/// To a buffer that exit() writes out.
void print_before() {
  static std::FILE* const out = fdopen(STDERR_FILENO, "w");
  static std::array<char, 4096> buffer;
  std::setvbuf(out, buffer.data(), _IOFBF, buffer.size());
  std::fputs("printed before\n", out);
}

/// What programs have in statics: all of it ends in exit().
struct statics {
  std::unique_ptr<yoke::runtime> rt = std::make_unique<yoke::runtime>();
  /// What exit() ends under its threads, plain C++ does: memory of a program must last.
  std::vector<double>& values = *new std::vector<double>(n, 1);
  std::vector<double>& others = *new std::vector<double>(n, 1);
  yoke::placed<double> x{*rt, std::span{values}};
  yoke::array<double, 1> y{*rt, {n}, {yoke::dist::block}, yoke::attach(others)};
  yoke::task_loop loop = rt->make_loop("static", {.n_tasks = 6});
};
statics& all() {
  static statics the;
  return the;
}

}  // namespace

namespace {

void check_exit(const char* child) {
  CAPTURE(child);
  const support::ended_child ended = run_child(child);
  CHECK(WIFEXITED(ended.status));
  CHECK(WEXITSTATUS(ended.status) == 5);
  CHECK_THAT(ended.message, Contains("printed before"));
}

}  // namespace

TEST_CASE("exit() ends the process with its status wherever a run is at work", "[exit]") {
  const support::variable checks{"YOKE_CHECK", GENERATE("0", "1")};
  check_exit(GENERATE("a kernel of a placed object exits", "a body exits", "the last body exits"));
}

TEST_CASE("exit() ends the process with its status wherever a loop over arrays is at work", "[exit]") {
  const support::variable checks{"YOKE_CHECK", "0"};  // with checks the main thread stays in the loop
  check_exit(
      GENERATE("a kernel of a loop over arrays exits", "the last element of a loop over arrays exits"));
}

TEST_CASE("where checks are on, what a run has placed on a device is told to who reads it on the host",
          "[check]") {
#ifdef YOKE_SANITIZED
  support::skip("host access to what is placed elsewhere: the sanitizer reports the fault in its own way");
#else
  const support::variable checks{"YOKE_CHECK", "1"};
  const support::ended_child ended = run_child("a program reads old bytes");
  const yoke::runtime rt;
  if (rt.units().shape().gpu_units == 0) {
    CHECK(WEXITSTATUS(ended.status) == 3);
  } else {
    CHECK(WIFSIGNALED(ended.status));
    CHECK(WTERMSIG(ended.status) == SIGSEGV);
    CHECK_THAT(ended.message, Contains("yoke: host code touched 0x") && Contains("(80000 bytes") &&
                                  Contains("placed in space 1 (emulated:0)") && Contains("host()"));
  }
#endif
}

TEST_CASE("a program that asks for what it reads sees the same with checks and without", "[check]") {
  const support::variable checks{"YOKE_CHECK", GENERATE("0", "1")};
  yoke::runtime rt;
  std::vector<double> values(n, 1);
  yoke::placed<double> x{rt, std::span{values}};
  yoke::task_loop loop = rt.make_loop("static", {.n_tasks = 1});
  double expected = 2;
  for (int pass = 0; pass < 3; ++pass) {
    rt.run(loop,
           [&](std::span<const yoke::task_id>) { yoke::launch_here<double_all>({.x = n}, "double", x); });
    CHECK(std::as_const(x).host()[n / 2] == expected);
    x.host()[n / 2] += 1;
    expected = 2 * (expected + 1);
  }
}

// What the children of the tests above run.

TEST_CASE("a kernel of a placed object exits", "[.child]") {
  statics& my = all();
  print_before();
  my.rt->run(my.loop, [&](std::span<const yoke::task_id> batch) {
    if (batch.back() == 5) yoke::launch_here<leave_at>({.x = n}, "leave", my.x, n - 1);
  });
}

TEST_CASE("a kernel of a loop over arrays exits", "[.child]") {
  print_before();
  yoke::for_each<leave_at_index>(*all().rt, {n}, out(all().y), std::int64_t{0});
  wait_for_exit();
}

TEST_CASE("the last element of a loop over arrays exits", "[.child]") {
  print_before();
  yoke::for_each<leave_at_index>(*all().rt, {n}, out(all().y), n - 1);
  wait_for_exit();
}

TEST_CASE("a body exits", "[.child]") {
  print_before();
  all().rt->run(all().loop, [](std::span<const yoke::task_id> batch) {
    if (batch.front() == 0) leave();
  });
}

TEST_CASE("the last body exits", "[.child]") {
  print_before();
  all().rt->run(all().loop, [](std::span<const yoke::task_id> batch) {
    if (batch.back() == 5) leave();
  });
}

TEST_CASE("a program reads old bytes", "[.child]") {
  std::signal(SIGSEGV, SIG_DFL);  // instead of Catch2's own
  yoke::runtime rt;
  std::vector<double> values(n, 1);
  yoke::placed<double> x{rt, std::span{values}};
  yoke::task_loop loop = rt.make_loop("static", {.n_tasks = 1});
  const bool on_gpu = rt.units().shape().gpu_units > 0;
  rt.each_unit([&](yoke::unit_id) {
    if (yoke::cu::is_gpu() && yoke::cu::cu_id() == rt.units().shape().cpu_units)
      yoke::launch_here<double_all>({.x = n}, "double", x);
  });
  if (*static_cast<volatile double*>(values.data() + n / 2) == 1 && !on_gpu) _exit(3);
}
