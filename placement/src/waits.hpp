#pragma once
/// What must have run before something may be queued.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <yoke/compute_units.hpp>
#include <yoke/device.hpp>
#include <yoke/event.hpp>
#include <yoke/mark.hpp>

namespace yoke::detail {

/// Work that was queued on a stream of a device, as a mark in the table of versions.
struct queued_work : versions::mark {
  /// Behind all that the stream has by now.
  queued_work(device& on_device, stream_handle stream, std::uint64_t number, versions::worker& by)
      : mark{{stream.native}, number, &by}, dev{&on_device}, done{on_device, stream} {}

  const device* dev;
  const event done;
  std::optional<std::uint64_t> n_finished{};  ///< of a unit's kernel: how often the unit had finished
};
inline queued_work& work_of(const versions::mark_ptr& mark) { return static_cast<queued_work&>(*mark); }

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
  versions::stream on() const { return {of_.stream.native}; }
  /// Whether what was queued on `stream` before is in order anyway.
  bool is_on(stream_handle stream) const { return stream.native != nullptr && stream == of_.stream; }
  /// Queued work of the same device.
  void add(versions::mark_ptr work) { work_.push_back(std::move(work)); }
  /// An event behind all that is queued on `stream` of the device.
  void add_stream(device_events& dev, stream_handle stream) { behind_.emplace(dev, stream); }

  void before(stream_handle stream) const {
    for (const versions::mark_ptr& each : work_) work_of(each).done.before(stream);
    if (behind_) behind_->before(stream);
  }

 private:
  const queue of_;
  std::vector<versions::mark_ptr> work_;
  std::optional<event> behind_;
};

}  // namespace yoke::detail
