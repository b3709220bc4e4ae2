// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a device has of memory: its own, which kernels work in, and host memory that its copies reach.

#include <cstddef>

#include <yoke/device_info.hpp>

namespace yoke {

/// One memory space. Thread-safe. Addresses of its own memory are for kernels and copies only; those of
/// pinned memory are for the host as well. Owners that free at their end: pinned_range, and placement's
/// regions.
///
///   void* const u = dev.allocate(n * sizeof(double));   // nullptr: the space is full
///   …
///   dev.deallocate(u);
///
/// Errors: device_error naming device, call and intent; usage_error in a forked child. What gives back never
/// fails.
class device_memory {
 public:
  virtual const device_info& info() const = 0;
  /// Bytes that nobody has, other programs included.
  virtual std::size_t memory_free() const = 0;
  /// What lies between its memory and that of `other`, a device of any backend, as that one's info() says. A
  /// device that does not say otherwise is reached through the host. Never throws.
  virtual link_kind link_to(const device_info& /*other*/) const { return link_kind::through_host; }

  /// At least 256-byte aligned. nullptr when the space is full, so that the caller can say for whom.
  [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;
  /// Nothing for nullptr. Nothing may use the memory any more.
  virtual void deallocate(void* address) noexcept = 0;
  /// Host memory that copies of this device reach asynchronously.
  [[nodiscard]] virtual void* allocate_pinned(std::size_t bytes) = 0;
  virtual void deallocate_pinned(void* address) noexcept = 0;
  /// The same for host memory that exists already, until unpin with the same range; a pinned_range does both.
  /// Ranges may overlap and share pages. Errors: device_error; nothing has changed then.
  virtual void pin(void* first, std::size_t bytes) = 0;
  virtual void unpin(void* first, std::size_t bytes) noexcept = 0;

 protected:
  ~device_memory() = default;
};

}  // namespace yoke
