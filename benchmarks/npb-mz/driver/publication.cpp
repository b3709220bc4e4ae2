#include "publication.hpp"

#include <limits>

#include <yoke/error.hpp>

namespace npb {

namespace {

constexpr int stop_value = std::numeric_limits<int>::max();

/// A neighbour is usually a few microseconds away; spinning longer would take the CPU from it where a
/// managing thread shares one.
constexpr int spins = 200;

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

void publication::publish(int zone, int step) {
  std::atomic<int>& counter = counters_[static_cast<std::size_t>(zone)].step;
  int expected = step;
  if (!counter.compare_exchange_strong(expected, step + 1, std::memory_order_acq_rel)) {
    YOKE_ASSERT(expected == stop_value, "a zone was published twice for one step");
    return;
  }
  counter.notify_all();
}

void publication::wait(int zone, int step) {
  const std::atomic<int>& counter = counters_[static_cast<std::size_t>(zone)].step;
  for (int i = 0; i < spins; ++i) {
    if (counter.load(std::memory_order_acquire) >= step) return check();
    pause();
  }
  for (int seen = counter.load(std::memory_order_acquire); seen < step;
       seen = counter.load(std::memory_order_acquire))
    counter.wait(seen, std::memory_order_acquire);
  check();
}

void publication::wait_for_all(int step) {
  for (int zone = 0; zone < n_zones_; ++zone) wait(zone, step);
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
