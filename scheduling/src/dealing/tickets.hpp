#pragma once
/// Hands out 0..n-1 anew in every pass, to whoever asks, without locks.

#include "../maps/assignment.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <yoke/ids.hpp>

namespace yoke::scheduling {

/// One counter serves all passes, however far the units drift apart. It counts the tasks handed out since the
/// beginning, so pass p owns the numbers [p·n, (p+1)·n). A unit asks for pass p+1 only after it found pass p
/// exhausted, so at any time only the newest pass that anybody asked for has tasks left, and that is where
/// the counter stands; a unit that is any number of passes behind sees a counter beyond its own pass: empty.
/// Should a pass have been abandoned (an exception in a task), its rest is skipped when the next one begins.
class tickets {
 public:
  explicit tickets(int n_tasks) : n_tasks_{n_tasks} {}

  /// The next size_of(remaining) >= 1 tasks of `pass`, or fewer where fewer are left; empty when none is.
  /// A compare-and-swap and not an addition: an addition that comes late would take from the next pass.
  template <class SizeOf>
  task_range take(pass_id pass, SizeOf size_of) {
    const std::int64_t begin = pass * n_tasks_;
    const std::int64_t end = begin + n_tasks_;
    std::int64_t seen = handed_out_.load(std::memory_order_relaxed);
    for (;;) {
      const std::int64_t from = std::max(seen, begin);
      if (from >= end) return {};
      const int remaining = static_cast<int>(end - from);
      const int size = std::min(size_of(remaining), remaining);
      // Relaxed: a ticket orders nothing; what tasks exchange is ordered by those who run them.
      if (handed_out_.compare_exchange_weak(seen, from + size, std::memory_order_relaxed)) {
        const int first = static_cast<int>(from - begin);
        return {first, first + size};
      }
    }
  }

 private:
  std::int64_t n_tasks_;
  alignas(64) std::atomic<std::int64_t> handed_out_{0};
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
};

}  // namespace yoke::scheduling
