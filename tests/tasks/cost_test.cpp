// What tasks take of memory.
#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <support/catch.hpp>

#include <yoke/tasks.hpp>

namespace {

std::atomic<long> n_allocations{0};

}  // namespace

void* operator new(std::size_t bytes) {
  n_allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* const made = std::malloc(bytes > 0 ? bytes : 1)) return made;
  throw std::bad_alloc{};
}
void operator delete(void* what) noexcept { std::free(what); }
void operator delete(void* what, std::size_t) noexcept { std::free(what); }

namespace {

using yoke::task_context;
using yoke::task_group;

constexpr int n_tasks = 4000;

/// Allocations for each task of all that `tell` tells, until all are over; where once more is nothing new.
template <class Tell>
double allocations_a_task(task_group& g, const Tell& tell) {
  double each = 0;
  for (int i = 0; i < 3; ++i) {
    const long before = n_allocations;
    tell();
    g.wait();
    each = static_cast<double>(n_allocations - before) / n_tasks;
  }
  return each;
}

const auto nothing = [](task_context&, auto...) {};

}  // namespace

TEST_CASE("tasks of CPU CUs take few allocations", "[tasks]") {
  yoke::runtime rt;
  yoke::placed<double> x{rt, 1, "x"};
  x.host()[0] = 0;
  task_group g{rt};
  if (g.cpus().empty()) return support::skip("no CPU CU");
  const yoke::task_options on{};
  const double independent = allocations_a_task(g, [&] {
    for (int i = 0; i < n_tasks; ++i) g.run("one", on, nothing);
  });
  const double chain = allocations_a_task(g, [&] {
    for (int i = 0; i < n_tasks; ++i) g.run("link", on, inout(x), nothing);
  });
  CAPTURE(independent, chain);
  CHECK(independent < 4);  // some go the whole way through the engine, with 15
  CHECK(chain < 10);
}

TEST_CASE("a task of a replay on CPU CUs takes no allocation of its own", "[recording]") {
  yoke::runtime rt;
  yoke::placed<double> x{rt, 1, "x"};
  x.host()[0] = 0;
  task_group g{rt};
  if (g.cpus().empty() || !g.gpus().empty()) return support::skip("no CPU CU, or others");
  const auto recorded = g.record([&] {
    for (int i = 0; i < n_tasks; ++i) g.run("link", inout(x), nothing);
  });
  for (int i = 0; i < 3; ++i) recorded.replay().wait();
  REQUIRE(recorded.is_planned());
  CHECK(allocations_a_task(g, [&] { recorded.replay(); }) < 0.1);
}

TEST_CASE("a task that waits takes less than 600 bytes", "[tasks]") {
  yoke::runtime rt;
  yoke::placed<double> x{rt, 1, "x"};
  x.host()[0] = 0;
  constexpr int n = 50'000;
  std::atomic<bool> may_go_on{false};
  const auto bytes = [] { return static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd); };
  const double before = bytes();
  task_group g{rt};
  const auto gate = g.spawn("gate", [&](yoke::agent_context&) { may_go_on.wait(false); });
  for (int i = 0; i < n; ++i) g.run("link", {.after = {gate}}, inout(x), nothing);
  const double each = (bytes() - before) / n;
  CAPTURE(each);
  CHECK(each < 600);  // a sanitizer's own allocator says 0
  may_go_on = true;
  may_go_on.notify_all();
  g.wait();
}
