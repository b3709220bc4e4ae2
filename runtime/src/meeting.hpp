#pragma once
/// Where threads wait for each other, and one of them settles something meanwhile.

#include <atomic>
#include <thread>

namespace yoke::detail {

/// For the CUs of a run that go on in the same region. Thread-safe.
class meeting {
 public:
  explicit meeting(int n) : n_{n} {}

  /// Everybody's; the last one to come calls `settle`, and all go on when it has returned or `stopped` is
  /// set. What `settle` throws leaves here, on that thread; the others go on when it has set `stopped`.
  template <class Settle>
  void come(const std::atomic<bool>& stopped, const Settle& settle) {
    const int round = round_.load(std::memory_order_relaxed);
    if (here_.fetch_add(1, std::memory_order_acq_rel) + 1 == n_) {
      settle();
      here_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    while (round_.load(std::memory_order_acquire) == round && !stopped.load(std::memory_order_acquire))
      std::this_thread::yield();
  }

 private:
  int n_;
  std::atomic<int> here_{0};
  std::atomic<int> round_{0};
};

}  // namespace yoke::detail
