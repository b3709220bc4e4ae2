#pragma once
/// What carries an exception out of an OpenMP region.

#include <exception>
#include <mutex>
#include <utility>

namespace yoke::detail {

/// The first exception of a team; the others are dropped.
class first_exception {
 public:
  void keep(std::exception_ptr error) noexcept {
    const std::lock_guard lock{mutex_};
    if (!first_) first_ = std::move(error);
  }
  /// Outside of the region, as rethrow.
  bool any() const noexcept { return first_ != nullptr; }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace yoke::detail
