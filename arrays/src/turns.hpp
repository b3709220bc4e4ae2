#pragma once
/// Calls of several host threads take turns, among themselves and with runs of the runtime.

#include <memory>
#include <mutex>
#include <vector>

#include <yoke/openmp.hpp>

namespace yoke::detail {

/// Calls queue work on the streams of GPU CUs, and record graphs there, as runs do on other threads. What
/// ends in a region is inside of a run: its turn is the caller's, and what the lock guards is guarded all the
/// same.
class turns {
 public:
  explicit turns(std::shared_ptr<std::recursive_mutex> of_runtime) : of_runtime_{std::move(of_runtime)} {}

  void lock() {
    const bool is_outside = !openmp::in_region();
    if (is_outside) of_runtime_->lock();
    own_.lock();
    is_outside_.push_back(is_outside);
  }
  bool try_lock() {
    const bool is_outside = !openmp::in_region();
    if (is_outside && !of_runtime_->try_lock()) return false;
    if (own_.try_lock()) {
      is_outside_.push_back(is_outside);
      return true;
    }
    if (is_outside) of_runtime_->unlock();
    return false;
  }
  void unlock() {
    const bool is_outside = is_outside_.back();
    is_outside_.pop_back();
    own_.unlock();
    if (is_outside) of_runtime_->unlock();
  }

 private:
  const std::shared_ptr<std::recursive_mutex> of_runtime_;
  std::recursive_mutex own_;
  std::vector<bool> is_outside_;  ///< of each lock that is held
};

}  // namespace yoke::detail
