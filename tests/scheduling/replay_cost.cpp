/// What replaying a map takes: no lock and no allocation. Both are counted by standing in front of the
/// functions that do them, so this is a program of its own.

#include "driver.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <pthread.h>

using namespace driver;

#if defined(YOKE_SANITIZED)

TEST_CASE("a map is replayed without taking a lock or allocating", "[scheduling]") {
  support::skip("the sanitizer stands in front of the same functions", true);
}

#else

namespace {

std::atomic<int> locks_taken{0};
std::atomic<int> allocations{0};

struct price {
  int locks = 0;
  int allocations = 0;
};

/// Runs the passes [first, last) of all units, one after another.
price price_of(schedule& plan, int n_units, pass_id first, pass_id last) {
  const price before{locks_taken, allocations};
  for (pass_id pass = first; pass < last; ++pass)
    for (int u = 0; u < n_units; ++u)
      for (auto batch = plan.next(unit_id{u}, pass); !batch.empty(); batch = plan.next(unit_id{u}, pass))
        plan.done(unit_id{u}, pass, batch, 1e-3 * static_cast<double>(batch.size()));
  return {locks_taken - before.locks, allocations - before.allocations};
}

}  // namespace

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  using function = int (*)(pthread_mutex_t*);
  static const auto real = reinterpret_cast<function>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  ++locks_taken;
  return real(mutex);
}

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc{};
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

TEST_CASE("a map is replayed without taking a lock or allocating", "[scheduling]") {
  const workload work{.n_tasks = 24};
  const std::vector<unit> units = make_units(2, 1);
  int replaying = 0;
  for (const scheduling::schedule_info& info : scheduling::all()) {
    const auto plan = scheduling::make(info.name, work, units);
    (void)price_of(*plan, 3, 0, 6);
    if (settled_from(*plan) < 0) continue;  // hands out anew in every pass
    ++replaying;
    const price replayed = price_of(*plan, 3, 6, 20);
    CAPTURE(info.name);
    CHECK(settled_from(*plan) <= 5);
    CHECK(replayed.locks == 0);
    CHECK(replayed.allocations == 0);
  }
  CHECK(replaying >= 4);
}

TEST_CASE("dynamic and guided take no lock and allocate nothing", "[scheduling]") {
  const workload work{.n_tasks = 24};
  for (const char* name : {"dynamic", "guided"}) {
    const auto plan = scheduling::make(name, work, make_units(2, 1));
    const price all = price_of(*plan, 3, 0, 20);
    CAPTURE(name);
    CHECK(all.locks == 0);
    CHECK(all.allocations == 0);
  }
}

TEST_CASE("the counters of this program see the locks and allocations that are made", "[scheduling]") {
  const workload work{.n_tasks = 24};
  CHECK(price_of(*scheduling::make("cost", work, make_units(2, 1)), 3, 0, 3).locks > 0);
  CHECK(price_of(*scheduling::make("memorizing", work, make_units(2, 1)), 3, 0, 1).allocations > 0);
}

#endif
