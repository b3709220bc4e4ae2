// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Points in the work of a device's streams.

#include <yoke/clock.hpp>
#include <yoke/device_handles.hpp>

namespace yoke {

/// Events: recorded behind what a stream has by then, waited for by the host or by other streams. An event
/// can be recorded again, and stands for its last recording then; before the first it has happened.
/// yoke::event owns one.
///
///   const yoke::event_handle done = dev.create_event();
///   dev.record(done, first);
///   dev.wait(second, done);   // what `second` gets from here on comes after; the host goes on
///
/// Errors: device_error naming device and call, or what failed on the stream before the recording.
class device_events {
 public:
  [[nodiscard]] virtual event_handle make_event(event_kind kind) = 0;
  virtual void destroy_event(event_handle event) noexcept = 0;
  virtual void record(event_handle event, stream_handle stream) = 0;
  /// Makes later work of `stream` wait for `event`, which may belong to another device of the same backend.
  virtual void wait(stream_handle stream, event_handle event) = 0;
  /// The host waits.
  virtual void synchronize(event_handle event) = 0;
  virtual bool is_done(event_handle event) = 0;
  /// Time on the device between the last recordings of two timed events, both of which have happened.
  virtual seconds seconds_between(event_handle from, event_handle to) = 0;

  [[nodiscard]] event_handle create_event() { return make_event(event_kind::plain); }
  [[nodiscard]] event_handle create_timed_event() { return make_event(event_kind::timed); }

 protected:
  ~device_events() = default;
};

}  // namespace yoke
