// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a device does: copies and kernels, in the order of the streams they are queued on.

#include <cstddef>

#include <yoke/box_copy.hpp>
#include <yoke/device_handles.hpp>
#include <yoke/device_info.hpp>
#include <yoke/kernel_call.hpp>

namespace yoke {

/// Errors: device_error when the call asks for more shared memory than the device has for a block.
void require_shared_memory(const kernel_call& call, const device_info& info);

/// Streams. What is queued on one runs in order, beside what other streams have and the host does. A stream
/// is used by one thread at a time.
///
///   const yoke::stream_handle stream = dev.create_stream();
///   dev.copy(stream, u, host, bytes, yoke::copy_kind::host_to_device);
///   yoke::launch<scale>(dev, stream, {.x = n}, "scale", yoke::device_ptr<double>{u}, 2.0);
///   dev.synchronize(stream);
///   dev.destroy_stream(stream);
///
/// Errors: device_error naming device, call and intent. A failure of what is queued may be thrown by a later
/// call for the stream, at the latest by its synchronize.
class device_streams {
 public:
  [[nodiscard]] virtual stream_handle make_stream(stream_kind kind) = 0;
  /// What is queued still runs; the call may wait for that.
  virtual void destroy_stream(stream_handle stream) noexcept = 0;
  /// Asynchronous in stream order; source and destination must stay valid until it has run. A box without
  /// bytes is nothing to copy.
  virtual void copy_box(stream_handle stream, const box_copy& what) = 0;
  /// The same for a kernel, whose arguments are copied by the call. No items are nothing to launch.
  virtual void launch(stream_handle stream, const kernel_call& call) = 0;
  /// Waits for all that the stream has. When it throws, nothing queued before is running or will run.
  virtual void synchronize(stream_handle stream) = 0;
  /// Waits for everything on the device.
  virtual void synchronize() = 0;

  [[nodiscard]] stream_handle create_stream() { return make_stream(stream_kind::normal); }
  [[nodiscard]] stream_handle create_urgent_stream() { return make_stream(stream_kind::urgent); }
  /// Bytes without gaps.
  void copy(stream_handle stream, void* to, const void* from, std::size_t bytes, copy_kind kind) {
    copy_box(stream, {.to = to, .from = from, .bytes = bytes, .kind = kind});
  }

 protected:
  ~device_streams() = default;
};

}  // namespace yoke
