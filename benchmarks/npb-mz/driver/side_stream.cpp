#include "side_stream.hpp"

#include <utility>

namespace npb {

side_stream::side_stream(const yoke::compute_unit& unit, kind what)
    : device_{*unit.dev},
      stream_{what == kind::urgent ? device_.create_urgent_stream() : device_.create_stream()} {
  try {
    event_ = device_.create_event();
  } catch (...) {
    device_.destroy_stream(stream_);
    throw;
  }
}

side_stream::~side_stream() {
  device_.destroy_event(event_);
  device_.destroy_stream(stream_);
}

void side_stream::follow(yoke::stream_handle other) {
  device_.record(event_, other);
  device_.wait(stream_, event_);
}

void side_stream::abandon() noexcept {
  try {
    synchronize();
  } catch (...) {  // the first error is on its way
  }
}

stream_watch::stream_watch(yoke::device& dev) : device_{dev}, from_{dev.create_timed_event()} {
  try {
    to_ = dev.create_timed_event();
  } catch (...) {
    dev.destroy_event(from_);
    throw;
  }
}

stream_watch::~stream_watch() {
  device_.destroy_event(from_);
  device_.destroy_event(to_);
}

void stream_watch::stop(yoke::stream_handle stream) {
  device_.record(to_, stream);
  stopped_ = true;
}

yoke::seconds stream_watch::take() {
  return std::exchange(stopped_, false) ? device_.seconds_between(from_, to_) : 0;
}

}  // namespace npb
