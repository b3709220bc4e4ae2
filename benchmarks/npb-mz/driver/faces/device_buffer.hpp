#pragma once
/// Memory that a device can use, owned.

#include <cstddef>

#include <yoke/device_memory.hpp>

namespace npb {

/// Memory of a device, or host memory that its copies reach, freed with the object. Grows only.
class device_buffer {
 public:
  enum class kind { device, pinned };
  device_buffer() = default;
  device_buffer(yoke::device_memory& dev, kind what) : device_{&dev}, kind_{what} {}
  device_buffer(device_buffer&& other) noexcept;
  device_buffer& operator=(device_buffer&& other) noexcept;
  ~device_buffer();

  /// At least `bytes`; the contents are lost when it grows. True when the address has changed.
  /// Errors: out_of_memory naming `purpose`, the bytes, and what is free.
  bool reserve(std::size_t bytes, const char* purpose);
  std::byte* data() const { return static_cast<std::byte*>(address_); }
  std::size_t size() const { return size_; }

 private:
  void release() noexcept;

  yoke::device_memory* device_ = nullptr;
  kind kind_ = kind::device;
  void* address_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace npb
