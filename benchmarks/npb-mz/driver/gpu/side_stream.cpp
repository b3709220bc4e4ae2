#include "side_stream.hpp"

#include <algorithm>
#include <utility>

namespace npb {

side_stream::side_stream(yoke::device& dev, kind what)
    : device_{dev},
      stream_{dev, what == kind::urgent ? dev.create_urgent_stream() : dev.create_stream()},
      event_{dev, dev.create_event()} {}

void side_stream::follow(yoke::stream_handle other) {
  device_.record(event_, other);
  device_.wait(stream_, event_);
}

void side_stream::lead(yoke::stream_handle other) {
  device_.record(event_, stream_);
  device_.wait(other, event_);
}

void side_stream::abandon() noexcept {
  try {
    synchronize();
  } catch (...) {  // the first error is on its way
  }
}

stream_watch::stream_watch(yoke::device_events& dev)
    : device_{dev}, from_{dev, dev.create_timed_event()}, to_{dev, dev.create_timed_event()} {}

void stream_watch::stop(yoke::stream_handle stream) {
  device_.record(to_, stream);
  stopped_ = true;
}

yoke::seconds stream_watch::take() {
  return std::exchange(stopped_, false) ? device_.seconds_between(from_, to_) : 0;
}

yoke::seconds stream_watch::take_behind(const stream_mark& mark) {
  if (!std::exchange(stopped_, false)) return 0;
  const yoke::seconds behind = device_.seconds_between(mark.event(), to_);
  return std::clamp(behind, 0.0, std::max(0.0, device_.seconds_between(from_, to_)));
}

}  // namespace npb
