// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A point in the work of a stream that others wait for.

#include <utility>

#include <yoke/device_events.hpp>

namespace yoke {

/// An event on a device, or one that has already happened. Movable; waits for nothing when destroyed.
/// What the _async primitives of placement return.
///
///   const yoke::event arrived = yoke::placement::migrate_async(u, space);
///   prepare();                       // the host goes on
///   arrived.before(stream);          // what `stream` gets from here on finds the bytes there …
///   arrived.wait();                  // … and from here on so does the host
///
/// Thread-safe for const calls. Cost: no allocation on the host beyond the device's own event. Errors:
/// device_error, also for what failed on the stream before the event was recorded; its device must live
/// longer.
class event {
 public:
  /// Has happened: waits for nothing.
  event() = default;
  /// Records on `stream` of `dev`.
  event(device_events& dev, stream_handle stream) : device_{&dev}, handle_{dev.create_event()} {
    try {
      dev.record(handle_, stream);
    } catch (...) {
      dev.destroy_event(handle_);
      throw;
    }
  }
  event(event&& other) noexcept : device_{other.device_}, handle_{other.handle_} { other.device_ = nullptr; }
  event& operator=(event&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~event() {
    if (device_ != nullptr) device_->destroy_event(handle_);
  }

  /// The host waits until it has happened.
  void wait() const {
    if (device_ != nullptr) device_->synchronize(handle_);
  }
  /// Makes later work of `stream`, a stream of the same device, wait for the event.
  void before(stream_handle stream) const {
    if (device_ != nullptr) device_->wait(stream, handle_);
  }
  /// The same for a stream of `other`, a device of the same backend.
  void before(device_events& other, stream_handle stream) const {
    if (device_ != nullptr) other.wait(stream, handle_);
  }
  /// Without waiting.
  [[nodiscard]] bool done() const { return device_ == nullptr || device_->is_done(handle_); }

 private:
  device_events* device_ = nullptr;
  event_handle handle_{};
};

}  // namespace yoke
