#include "publication.hpp"

#include <limits>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>

namespace npb {

namespace {

constexpr int stop_value = std::numeric_limits<int>::max();

/// A neighbour is usually a few microseconds away. Each time that it was not, others may have the CPU, as a
/// managing thread that shares one. With nothing but calls of the operating system from then on, a hardware
/// thread of the same core was up to 3 % slower.
constexpr int spins = 64;
/// To be woken takes some 50 us where CPUs are virtual: one that sleeps sooner loses that in each step, a
/// tenth of SP-MZ A on 16 CPUs.
constexpr yoke::seconds awake = 2e-4;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

publication::publication(int n_zones)
    : n_zones_{n_zones}, counters_{std::make_unique<counter[]>(static_cast<std::size_t>(n_zones))} {}

void publication::reset(int step) {
  for (int zone = 0; zone < n_zones_; ++zone) counters_[static_cast<std::size_t>(zone)].step.store(step);
  stopped_.store(false);
}

/// Most zones have nobody asleep, and waking nobody is a call of the operating system wherever others sleep.
/// In one order for all threads, either the sleeper sees the new step or it is seen here.
void publication::publish(int zone, int step) {
  counter& of = counters_[static_cast<std::size_t>(zone)];
  int expected = step;
  if (!of.step.compare_exchange_strong(expected, step + 1, std::memory_order_seq_cst)) {
    YOKE_ASSERT(expected == stop_value, "a zone was published twice for one step");
    return;
  }
  if (of.sleepers.load(std::memory_order_seq_cst) > 0) of.step.notify_all();
}

void publication::wait(int zone, int step) {
  wait_until([&] { return is_published(zone, step); },
             [&, spun = 0, from = yoke::now()]() mutable {
               if (++spun % spins != 0) return pause();
               if (yoke::elapsed(from, yoke::now()) < awake) return std::this_thread::yield();
               sleep(counters_[static_cast<std::size_t>(zone)], step);
             });
}

/// Until the counter changes.
void publication::sleep(counter& of, int step) {
  of.sleepers.fetch_add(1, std::memory_order_seq_cst);
  const int seen = of.step.load(std::memory_order_seq_cst);
  if (seen < step) of.step.wait(seen, std::memory_order_seq_cst);
  of.sleepers.fetch_sub(1, std::memory_order_relaxed);
}

void publication::stop() {
  stopped_.store(true, std::memory_order_release);
  for (int zone = 0; zone < n_zones_; ++zone) {
    std::atomic<int>& counter = counters_[static_cast<std::size_t>(zone)].step;
    counter.store(stop_value, std::memory_order_release);
    counter.notify_all();
  }
}

}  // namespace npb
