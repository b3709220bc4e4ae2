#include "transfer_lane.hpp"

#include <utility>

namespace npb {

transfer_lane::transfer_lane(const yoke::compute_unit& unit)
    : unit_{unit}, stream_{unit.dev->create_stream()} {
  try {
    event_ = unit.dev->create_event();
  } catch (...) {
    unit.dev->destroy_stream(stream_);
    throw;
  }
}

transfer_lane::~transfer_lane() {
  unit_.dev->destroy_event(event_);
  unit_.dev->destroy_stream(stream_);
}

void transfer_lane::order(yoke::stream_handle first, yoke::stream_handle then) {
  unit_.dev->record(event_, first);
  unit_.dev->wait(then, event_);
}

void transfer_lane::abandon() noexcept {
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
