#pragma once
/// How threads that have a plane each follow one another.

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace npb {

/// How many blocks of a plane are done, for the thread that has the plane after it.
class plane_progress {
 public:
  explicit plane_progress(int n) : done_(static_cast<std::size_t>(n)) {}
  void reset() {
    for (padded& plane : done_) plane.blocks.store(0, std::memory_order_relaxed);
  }
  void publish(int plane, int blocks) {
    done_[static_cast<std::size_t>(plane)].blocks.store(blocks, std::memory_order_release);
  }
  void wait(int plane, int blocks) const {
    const std::atomic<int>& done = done_[static_cast<std::size_t>(plane)].blocks;
    for (int spins = 0; done.load(std::memory_order_acquire) < blocks; ++spins)
      spins < most_spins ? __builtin_ia32_pause() : std::this_thread::yield();
  }

 private:
  static constexpr int most_spins = 2000;  // some ten microseconds, a few blocks
  struct alignas(64) padded {
    std::atomic<int> blocks{0};
  };
  std::vector<padded> done_;
};

}  // namespace npb
