#pragma once
/// The memory of an emulated device: pages of its own behind an alias, and host memory that counts as pinned.

#include "address_space.hpp"

#include <atomic>
#include <cstddef>
#include <string>

#include <yoke/detail/pinned_pages.hpp>
#include <yoke/device_memory.hpp>
#include <yoke/emulated.hpp>

namespace yoke::emulated {

class emulated_memory final : public device_memory {
 public:
  emulated_memory(int index, const emulated_options& options);

  const device_info& info() const override { return info_; }
  std::size_t memory_free() const override { return own_.free_bytes(); }
  link_kind link_to(const device_info& other) const override;

  void* allocate(std::size_t bytes) override;
  void deallocate(void* address) noexcept override;
  void* allocate_pinned(std::size_t bytes) override;
  void deallocate_pinned(void* address) noexcept override;
  void pin(void* first, std::size_t bytes) override;
  void unpin(void* first, std::size_t bytes) noexcept override;

  /// The call is refused: nothing was done, and the device is as before.
  [[noreturn]] void refuse(const std::string& intent, const std::string& why) const;
  detail::address_window window() const { return own_.window(); }
  /// Where the host finds what a kernel or a copy calls `address`, of this device or, with `elsewhere`, of
  /// any that is emulated. Errors: device_error.
  void* page_of(const void* address, std::size_t bytes, bool elsewhere, const std::string& intent) const;
  /// The same of a host's end. Errors: device_error for an address of a device.
  void* host_end(const void* address, const std::string& intent) const;
  bool has(const void* address, std::size_t bytes) const { return own_.translate(address, bytes) != nullptr; }
  /// What it has counted.
  void tell(device_statistics& of) const;

 private:
  const device_info info_;
  const int peers_;
  const bool is_slowed_;
  address_space own_;
  detail::pinned_pages pages_;
  std::atomic<std::size_t> allocations_{0}, pinned_{0};
};

}  // namespace yoke::emulated
