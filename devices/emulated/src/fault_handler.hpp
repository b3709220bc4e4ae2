#pragma once
/// Says what happened when host code touches a device address.

#include <cstdint>
#include <string>

namespace yoke::emulated {

/// While it lives, a host access to [first, last) prints one message naming `device` and the address before
/// the process gets its SIGSEGV. The handler is installed once, by the first range, and passes other faults
/// on to the handler that was there before.
class guarded_range {
 public:
  guarded_range(std::uintptr_t first, std::uintptr_t last, const std::string& device);
  ~guarded_range();
  guarded_range(const guarded_range&) = delete;
  guarded_range& operator=(const guarded_range&) = delete;

 private:
  int slot_;  ///< -1: more ranges than slots; the fault then comes without our message
};

/// Whether the address lies in a guarded range: is a device address of any emulated device.
bool is_guarded(const void* address) noexcept;

}  // namespace yoke::emulated
