#pragma once
/// What lets messages travel while kernels run, and tells how long both take.

#include <yoke/compute_units.hpp>

namespace npb {

/// A stream beside that of a GPU CU, for the messages between its device and the host.
class transfer_lane {
 public:
  explicit transfer_lane(const yoke::compute_unit& unit);
  ~transfer_lane();
  transfer_lane(const transfer_lane&) = delete;
  transfer_lane& operator=(const transfer_lane&) = delete;

  yoke::stream_handle stream() const { return stream_; }
  /// What the lane gets from here on begins after all that the CU's stream has by now.
  void follow_unit() { order(unit_.stream, stream_); }
  /// The reverse.
  void lead_unit() { order(stream_, unit_.stream); }
  void synchronize() { unit_.dev->synchronize(stream_); }
  /// Waits like synchronize, for when something has failed already.
  void abandon() noexcept;

 private:
  void order(yoke::stream_handle first, yoke::stream_handle then);

  const yoke::compute_unit& unit_;
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
