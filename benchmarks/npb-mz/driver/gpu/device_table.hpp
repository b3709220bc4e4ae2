#pragma once
/// A table that the host makes and kernels read.

#include "driver/faces/device_buffer.hpp"

#include <algorithm>
#include <span>

#include <yoke/device.hpp>
#include <yoke/kernel.hpp>

namespace npb {

template <class Entry>
class device_table {
 public:
  explicit device_table(yoke::device& dev)
      : device_{dev},
        entries_{dev, device_buffer::kind::device},
        staging_{dev, device_buffer::kind::pinned} {}

  /// Asynchronous; whatever was uploaded before must have arrived. Errors: out_of_memory.
  yoke::device_ptr<const Entry> upload(yoke::stream_handle stream, std::span<const Entry> entries) {
    const auto bytes = std::as_bytes(entries);
    if (bytes.empty()) return {};
    entries_.reserve(bytes.size(), "a table of zones or faces");
    staging_.reserve(bytes.size(), "a table of zones or faces, in pinned memory");
    std::ranges::copy(bytes, staging_.data());
    device_.copy(stream, entries_.data(), staging_.data(), bytes.size(), yoke::copy_kind::host_to_device);
    return yoke::device_ptr<const Entry>{reinterpret_cast<const Entry*>(entries_.data())};
  }

 private:
  yoke::device_streams& device_;
  device_buffer entries_, staging_;
};

}  // namespace npb
