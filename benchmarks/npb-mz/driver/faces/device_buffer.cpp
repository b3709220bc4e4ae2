#include "device_buffer.hpp"

#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>

namespace npb {

device_buffer::device_buffer(device_buffer&& other) noexcept { *this = std::move(other); }

device_buffer& device_buffer::operator=(device_buffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(kind_, other.kind_);
  std::swap(address_, other.address_);
  std::swap(size_, other.size_);
  return *this;
}

device_buffer::~device_buffer() { release(); }

void device_buffer::release() noexcept {
  if (address_ == nullptr) return;
  if (kind_ == kind::device)
    device_->deallocate(address_);
  else
    device_->deallocate_pinned(address_);
  address_ = nullptr;
  size_ = 0;
}

bool device_buffer::reserve(std::size_t bytes, const char* purpose) {
  if (bytes <= size_) return false;
  release();
  address_ = kind_ == kind::device ? device_->allocate(bytes) : device_->allocate_pinned(bytes);
  if (address_ == nullptr) {
    const std::size_t free = device_->memory_free();
    throw yoke::out_of_memory{fmt::format("{}: {} bytes are wanted for {}, {} are free", device_->info().name,
                                          bytes, purpose, free),
                              bytes, free};
  }
  size_ = bytes;
  return true;
}

}  // namespace npb
