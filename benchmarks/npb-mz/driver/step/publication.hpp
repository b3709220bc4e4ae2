#pragma once
/// How far every zone is: the order between the steps of neighbouring zones, without a barrier.

#include <atomic>
#include <memory>
#include <span>
#include <stdexcept>
#include <thread>

namespace npb {

/// Thrown out of a wait when another compute unit has failed; the run drops it and reports the cause.
class stopped : public std::runtime_error {
 public:
  stopped() : std::runtime_error{"stopped because another compute unit failed"} {}
};

/// A step counter per zone: zone z is *published* for step s when its state is that of the start of step s
/// and its outgoing faces for s can be read.
///
/// A zone may run step s when it and its neighbours are published for s. Nobody waits forever: every unit
/// runs its tasks in the order of passes, and step s depends on steps s-1 only. Take the lowest step that is
/// not complete: all of its tasks are ready, and each unit is either at one of them or has none left in it.
/// Zones that nobody else reads, inner ones of a GPU CU, may be on their way to the next step when they are
/// published.
/// The barrier between steps is the special case in which every zone counts as a neighbour.
class publication {
 public:
  explicit publication(int n_zones);

  /// Every zone is published for `step`. Only while no unit runs.
  void reset(int step);
  /// The zone has finished `step`; everything written before is seen by those who find it published.
  void publish(int zone, int step);
  bool is_published(int zone, int step) const {
    return counters_[static_cast<std::size_t>(zone)].step.load(std::memory_order_acquire) >= step;
  }
  /// The one way to wait: until `is_over()`, with `rest()` between two looks. Errors: stopped.
  template <class Over, class Rest>
  void wait_until(const Over& is_over, Rest rest) const {
    for (; !is_over(); rest()) check();
    check();
  }
  /// Looks all the time, but lets others run.
  template <class Over>
  void wait_until(const Over& is_over) const {
    wait_until(is_over, std::this_thread::yield);
  }
  /// Until `zone` is published for `step`; sleeps when that takes long. Errors: stopped.
  void wait(int zone, int step);
  /// Wakes everybody; all waits throw from here on.
  void stop();
  /// Threads that have begun to sleep until `zone` is published.
  int sleepers(int zone) const { return counters_[static_cast<std::size_t>(zone)].sleepers; }
  /// Errors: stopped.
  void check() const {
    if (stopped_.load(std::memory_order_acquire)) throw stopped{};
  }
  int n_zones() const { return n_zones_; }

 private:
  struct alignas(64) counter {
    std::atomic<int> step{0};
    std::atomic<int> sleepers{0};  ///< threads that may sleep until it changes
  };
  void sleep(counter& of, int step);

  int n_zones_;
  std::unique_ptr<counter[]> counters_;
  std::atomic<bool> stopped_{false};
};

}  // namespace npb
