#pragma once
/// The memory of one emulated device.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

#include <yoke/detail/range_allocator.hpp>
#include <yoke/device_ptr.hpp>
#include <yoke/told_faults.hpp>

namespace yoke::emulated {

/// Makes the host bring the pages of new memory, which it else does when they are first used.
void touch_pages(void* first, std::size_t bytes);

/// One memfd mapped twice: the pages, and an alias of them without access rights whose addresses are the
/// device addresses. Pages exist only once touched, so a limit larger than the machine's memory is harmless.
/// Thread-safe.
class address_space {
 public:
  /// Errors: device_error when the address range cannot be mapped.
  address_space(std::size_t bytes, const std::string& device);

  /// nullptr when so many bytes are not free.
  void* allocate(std::size_t bytes);
  void deallocate(void* address) noexcept;
  /// The host page behind [address, address + bytes); nullptr where that is not inside one live allocation.
  void* translate(const void* address, std::size_t bytes) const;
  /// The same, of whichever device that is: for copies between devices.
  static void* translate_anywhere(const void* address, std::size_t bytes);
  std::size_t free_bytes() const;
  std::size_t limit() const { return limit_; }
  /// What device_ptr accepts while a kernel of this device runs.
  detail::address_window window() const;

  /// In the list of all for as long as it lives.
  class listed {
   public:
    explicit listed(const address_space& self);
    ~listed();
    listed(const listed&) = delete;
    listed& operator=(const listed&) = delete;

   private:
    friend class address_space;
    const address_space& self_;
    mutable const listed* next_ = nullptr;
  };

 private:
  class mapping {
   public:
    mapping(std::size_t bytes, const std::string& device);
    ~mapping();
    mapping(const mapping&) = delete;
    mapping& operator=(const mapping&) = delete;
    void give_pages_back(std::size_t first, std::size_t last) const noexcept;

    char* pages() const { return pages_; }
    char* alias() const { return alias_; }
    std::size_t bytes() const { return bytes_; }

   private:
    void map(const std::string& device);
    void release() const noexcept;
    std::size_t limit_;
    std::size_t bytes_;  ///< of addresses
    int file_ = -1;
    char* pages_ = nullptr;
    char* alias_ = nullptr;
  };

  mapping mapping_;
  yoke::detail::told_faults guard_;
  mutable std::mutex lock_;
  detail::range_allocator ranges_;
  const std::size_t limit_;
  listed listed_;  ///< last: the others find what is complete
};

}  // namespace yoke::emulated
