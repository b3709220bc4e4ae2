/// What a task costs in memory until it is over, counted by standing in front of the functions that give it.

#include "driver.hpp"

#include <cstdlib>
#include <malloc.h>
#include <new>

#include <yoke/task_binder.hpp>

using namespace driver;

#if defined(YOKE_SANITIZED)

TEST_CASE("10^5 tasks in flight take less than 200 bytes each", "[binder]") {
  support::skip("the sanitizer stands in front of the same functions", true);
}

#else

namespace {

std::atomic<std::ptrdiff_t> bytes_held{0};

}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc{};
  bytes_held += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) bytes_held -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace {

constexpr int n_tasks = 100000;

/// With two pieces and two predecessors each, or all of them ready.
double bytes_of_a_task(bool is_chain) {
  scheduling::task_binder binder{{.units = make_units(2, 1)}};
  std::vector<scheduling::told_task> told(n_tasks);
  const std::ptrdiff_t before = bytes_held;
  for (std::size_t t = 0; t < told.size(); ++t) {
    const scheduling::piece_use uses[] = {{t % 100, 8, true, true}, {t % 77, 8}};
    const std::size_t n_after = is_chain ? std::min<std::size_t>(t, 2) : 0;
    told[t] = binder.tell({.after = std::span(told).subspan(t - n_after, n_after), .uses = uses});
  }
  return static_cast<double>(bytes_held - before) / n_tasks;
}

}  // namespace

TEST_CASE("10^5 tasks in flight take less than 200 bytes each", "[binder]") {
  CHECK(bytes_of_a_task(true) < 200);
  CHECK(bytes_of_a_task(false) < 200);
}

TEST_CASE("tasks that come and go take no more memory", "[binder]") {
  scheduling::task_binder binder{{.units = make_units(1, 0)}};
  const auto run = [&](int n) {
    for (; n > 0; --n) {
      const scheduling::piece_use use{1, 8, true, true};
      const scheduling::told_task task = binder.tell({.uses = std::span(&use, 1)});
      binder.bind_next(0);
      binder.ended(task, 0, 1);
    }
    return bytes_held.load();
  };
  const std::ptrdiff_t before = run(100);
  CHECK(run(1000) == before);
}

#endif
