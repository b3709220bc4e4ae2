#pragma once
/// What must have run before something may be queued.

#include <optional>
#include <vector>

#include <yoke/compute_units.hpp>
#include <yoke/device.hpp>
#include <yoke/event.hpp>

namespace yoke::detail {

/// Who asks for a region: a CU, or a host thread that is none. What it does next with the region goes to
/// `stream` of `dev`; without a device it happens on the calling thread, and `stream` is one of whatever
/// device the call is about.
struct caller {
  const compute_unit* unit = nullptr;
  device* dev = nullptr;
  stream_handle stream{};
};

/// Where something is queued: without a device, on the calling thread; without a stream, on the table's own.
struct queue {
  const device* dev = nullptr;
  stream_handle stream{};
};
/// The caller's, where that is on `dev`.
inline queue queue_of(const device* dev, const caller& by) {
  return {dev, by.dev == nullptr || by.dev == dev ? by.stream : stream_handle{}};
}

/// Collects events for work that is queued on a stream of one device; what that device cannot wait for, and
/// everything where there is no device, is waited for here.
class waits {
 public:
  explicit waits(const queue& of) : of_{of} {}

  const device* dev() const { return of_.dev; }
  /// Whether what was queued on `stream` before is in order anyway.
  bool is_on(stream_handle stream) const { return stream.native != nullptr && stream == of_.stream; }
  /// `done` must live as long as this object.
  void add(const event& done) { events_.push_back(&done); }
  /// An event behind all that is queued on `stream` of the device.
  void add_stream(device_events& dev, stream_handle stream) { behind_.emplace(dev, stream); }

  void before(stream_handle stream) const {
    for (const event* each : events_) each->before(stream);
    if (behind_) behind_->before(stream);
  }

 private:
  const queue of_;
  std::vector<const event*> events_;
  std::optional<event> behind_;
};

}  // namespace yoke::detail
