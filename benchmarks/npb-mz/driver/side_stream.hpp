#pragma once
/// What lets the work of a GPU CU overlap, and tells how long parts of it take.

#include <yoke/compute_units.hpp>

namespace npb {

/// A stream beside that of a GPU CU.
class side_stream {
 public:
  enum class kind { usual, urgent };
  side_stream(const yoke::compute_unit& unit, kind what);
  ~side_stream();
  side_stream(const side_stream&) = delete;
  side_stream& operator=(const side_stream&) = delete;

  yoke::stream_handle handle() const { return stream_; }
  /// What it gets from here on begins after all that `other` has by now.
  void follow(yoke::stream_handle other);
  void synchronize() { device_.synchronize(stream_); }
  /// Waits like synchronize, for when something has failed already.
  void abandon() noexcept;

 private:
  yoke::device& device_;
  yoke::stream_handle stream_;
  yoke::event_handle event_;
};

/// Times a part of a stream's work on the device.
class stream_watch {
 public:
  explicit stream_watch(yoke::device& dev);
  ~stream_watch();
  stream_watch(const stream_watch&) = delete;
  stream_watch& operator=(const stream_watch&) = delete;

  void start(yoke::stream_handle stream) { device_.record(from_, stream); }
  void stop(yoke::stream_handle stream);
  /// Between the last start and stop, which the device has passed; 0 when that was asked before.
  yoke::seconds take();

 private:
  yoke::device& device_;
  yoke::event_handle from_;
  yoke::event_handle to_;
  bool stopped_ = false;
};

}  // namespace npb
