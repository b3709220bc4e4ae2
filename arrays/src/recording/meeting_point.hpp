#pragma once
/// Where the CPU CUs of a replay meet before each step.

#include <atomic>
#include <cstddef>
#include <exception>

namespace yoke::detail {

/// One leads: it waits for the others, prepares what comes next and lets them go on.
class meeting_point {
 public:
  explicit meeting_point(int n_others) : n_others_{static_cast<std::size_t>(n_others)} {}

  void wait_for_others(std::size_t step) {
    const std::size_t all = n_others_ * (step + 1);
    for (std::size_t here = arrived_.load(); here < all; here = arrived_.load()) arrived_.wait(here);
  }
  void open(std::size_t step) {
    opened_.store(step + 1);
    opened_.notify_all();
  }
  void arrive_and_wait(std::size_t step) {
    ++arrived_;
    arrived_.notify_one();
    for (std::size_t at = opened_.load(); at <= step; at = opened_.load()) opened_.wait(at);
  }

  /// The first exception is kept; whoever has something to do asks before.
  void fail(const std::exception_ptr& with) {
    if (!failed_.exchange(true)) error_ = with;
  }
  bool failed() const { return failed_.load(); }
  /// After all have left.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::size_t n_others_;
  std::atomic<std::size_t> arrived_{0}, opened_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

}  // namespace yoke::detail
