// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// One device opened as several memory spaces: what tests have where they need two GPUs and there is one.

#include <memory>
#include <mutex>
#include <unordered_map>

#include <yoke/device_list.hpp>
#include <yoke/forwarding_device.hpp>

namespace yoke {

/// An equal share of a device's memory, with a name of its own; everything else is the device's. What goes
/// between two arenas takes the route between two GPUs, so that this route is tested where there is one GPU.
///
///   YOKE_DEVICES='cuda:0*2' ./my-program        two spaces, "cuda:0*2:0" and "cuda:0*2:1" in messages
///
/// Times taken with arenas are not those of several GPUs: both share processors and the memory's bandwidth.
class device_arena final : public forwarding_device {
 public:
  /// Requires: request.spaces > 0.
  device_arena(std::shared_ptr<device> whole, const device_request& request);

  const device_info& info() const override { return info_; }
  /// What is left of the share, and never more than the device has.
  std::size_t memory_free() const override;
  /// nullptr beyond the share, as where a device is full.
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
