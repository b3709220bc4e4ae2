#pragma once
/// One device opened as several memory spaces: what tests have where they need two GPUs and there is one.

#include <memory>
#include <mutex>
#include <unordered_map>

#include <yoke/device_list.hpp>
#include <yoke/forwarding_device.hpp>

namespace yoke {

/// An equal share of a device's memory, with a name of its own; everything else is the device's.
class device_arena final : public forwarding_device {
 public:
  /// Requires: request.spaces > 0.
  device_arena(std::shared_ptr<device> whole, const device_request& request);

  const device_info& info() const override { return info_; }
  std::size_t memory_free() const override;
  void* allocate(std::size_t bytes) override;
  void deallocate(void* address) noexcept override;

 private:
  std::size_t left() const { return info_.memory - used_; }

  std::shared_ptr<device> whole_;
  device_info info_;
  mutable std::mutex lock_;
  std::size_t used_ = 0;
  std::unordered_map<void*, std::size_t> sizes_;
};

}  // namespace yoke
