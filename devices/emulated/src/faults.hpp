#pragma once
/// Faults on demand: counts the calls of one device and says which of them must fail.

#include <cstdint>
#include <mutex>
#include <string>

#include <yoke/emulated.hpp>

namespace yoke::emulated {

enum class call_kind { allocation, copy, launch, other };

/// Thread-safe.
class faults {
 public:
  faults(std::string device, const emulated_options& options);
  void set(const emulated_options& options);

  /// Counts a call. False: this allocation must fail as if memory were exhausted.
  /// Errors: device_error naming device and `intent` where this copy or launch must fail, or the device is
  /// lost; usage_error in a forked child.
  bool enter(call_kind kind, const std::string& intent);

 private:
  const std::string device_;
  std::mutex lock_;
  emulated_options options_;
  std::int64_t calls_ = 0;
  std::int64_t allocations_ = 0;
  std::int64_t copies_ = 0;
  std::int64_t launches_ = 0;
};

}  // namespace yoke::emulated
