// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Host memory that a program has already, pinned for a while.

#include <cstddef>
#include <span>
#include <utility>

#include <yoke/device_memory.hpp>

namespace yoke {

/// Pins on construction, unpins at its end: copies between this memory and any device of `dev`'s backend are
/// asynchronous meanwhile. What is pinned stays the program's: it must not be freed before. Pages may be
/// shared with other ranges. Whole pages are pinned: copies of whatever else lies in them are asynchronous
/// too, so wait for those before you give that memory back. Movable.
///
///   std::vector<double> u = read_input();
///   const yoke::pinned_range pinned{dev, std::span{u}};
///
/// Cost: a system call a page; worth it for what is copied often, or while something is to be computed.
/// Errors: device_error, as device_memory::pin.
class pinned_range {
 public:
  /// Pins nothing.
  pinned_range() = default;
  pinned_range(device_memory& dev, void* first, std::size_t bytes)
      : device_{&dev}, first_{first}, bytes_{bytes} {
    dev.pin(first, bytes);
  }
  /// The elements of a span; the vector behind it must not grow meanwhile.
  template <class T, std::size_t N>
  pinned_range(device_memory& dev, std::span<T, N> range)
      : pinned_range{dev, range.data(), range.size_bytes()} {}
  pinned_range(pinned_range&& other) noexcept
      : device_{std::exchange(other.device_, nullptr)}, first_{other.first_}, bytes_{other.bytes_} {}
  pinned_range& operator=(pinned_range&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(first_, other.first_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~pinned_range() {
    if (device_ != nullptr) device_->unpin(first_, bytes_);
  }

 private:
  device_memory* device_ = nullptr;
  void* first_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace yoke
