#include "queue.hpp"

#include <algorithm>

namespace yoke::flow {

queue::~queue() {
  for (const point& each : points_) free_.push_back(each.event);
  for (const event_handle each : free_) device_.destroy_event(each);
  device_.destroy_stream(stream_);
}

queue::point queue::record() {
  if (free_.empty()) free_.push_back(device_.create_event());
  const point made{free_.back(), last_started_};
  device_.record(made.event, stream_);
  free_.pop_back();
  points_.push_back(made);
  return made;
}

void queue::record_for_looks() noexcept {
  try {
    record();
  } catch (...) {  // NOLINT(bugprone-empty-catch)
    // Who waits records one of his own, and meets the error.
  }
}

queue::point queue::behind_started(std::uint64_t number) {
  const auto found = std::ranges::find_if(points_, [&](const point& each) { return each.number >= number; });
  return found != points_.end() ? *found : record();
}

std::optional<queue::point> queue::behind(std::uint64_t number) {
  const std::lock_guard guard{lock_};
  if (number > last_started_) return std::nullopt;
  return behind_started(number);
}

std::optional<queue::point> queue::behind_what_there_is(std::uint64_t number) {
  const std::lock_guard guard{lock_};
  if (last_started_ == 0) return std::nullopt;
  return behind_started(std::min(number, last_started_));
}

void queue::see_to(std::uint64_t number) noexcept {
  const std::lock_guard guard{lock_};
  if (number > last_started_ || (!points_.empty() && points_.back().number >= number)) return;
  record_for_looks();
}

std::optional<queue::point> queue::look() {
  const std::lock_guard guard{lock_};
  std::optional<point> passed;
  for (const point& each : points_) {
    if (!device_.is_done(each.event)) break;
    passed = each;
  }
  return passed;
}

std::uint64_t queue::drain() noexcept {
  const std::lock_guard guard{lock_};
  try {
    device_.synchronize(stream_);
  } catch (...) {  // NOLINT(bugprone-empty-catch)
    // The first error is on its way, and nothing runs on a stream whose synchronization has failed.
  }
  return last_started_;
}

void queue::forget(std::uint64_t number) {
  const std::lock_guard guard{lock_};
  for (; !points_.empty() && points_.front().number <= number; points_.pop_front())
    free_.push_back(points_.front().event);
}

}  // namespace yoke::flow
