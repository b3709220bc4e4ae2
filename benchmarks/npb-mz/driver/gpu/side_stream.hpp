#pragma once
/// Streams and events of a device: what lets the work of a GPU CU overlap, and tells how long parts of it
/// take.

#include <yoke/device.hpp>
#include <yoke/owned_handle.hpp>

namespace npb {

/// A stream beside that of a GPU CU.
class side_stream {
 public:
  enum class kind { usual, urgent };
  side_stream(yoke::device& dev, kind what);

  yoke::stream_handle handle() const { return stream_; }
  /// What it gets from here on begins after all that `other` has by now.
  void follow(yoke::stream_handle other);
  /// The other way round.
  void lead(yoke::stream_handle other);
  void synchronize() { device_.synchronize(stream_); }
  /// Waits like synchronize, for when something has failed already.
  void abandon() noexcept;

 private:
  yoke::device& device_;
  yoke::owned_stream stream_;
  yoke::owned_event event_;
};

/// A point in the work of a stream.
class stream_mark {
 public:
  explicit stream_mark(yoke::device_events& dev, yoke::event_kind kind = yoke::event_kind::plain)
      : device_{dev}, event_{dev, dev.make_event(kind)} {}

  /// Behind all that the stream has by now; forgets the point before.
  void set(yoke::stream_handle stream) { device_.record(event_, stream); }
  bool is_passed() const { return device_.is_done(event_); }
  void wait() const { device_.synchronize(event_); }
  /// What the stream gets from here on begins behind the point.
  void hold_up(yoke::stream_handle stream) const { device_.wait(stream, event_); }
  yoke::event_handle event() const { return event_; }

 private:
  yoke::device_events& device_;
  yoke::owned_event event_;
};

/// Times a part of a stream's work on the device.
class stream_watch {
 public:
  explicit stream_watch(yoke::device_events& dev);

  void start(yoke::stream_handle stream) { device_.record(from_, stream); }
  void stop(yoke::stream_handle stream);
  /// Between the last start and stop, which the device has passed; 0 when that was asked before.
  yoke::seconds take();
  /// The part of that which lies behind a timed mark that the device has passed too.
  yoke::seconds take_behind(const stream_mark& mark);

 private:
  yoke::device_events& device_;
  yoke::owned_event from_;
  yoke::owned_event to_;
  bool stopped_ = false;
};

}  // namespace npb
