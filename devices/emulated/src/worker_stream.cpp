#include "worker_stream.hpp"

#include <utility>

#include <yoke/affinity.hpp>
#include <yoke/endings.hpp>
#include <yoke/forks.hpp>

namespace yoke::emulated {

void record_point::complete(std::exception_ptr error) {
  {
    const std::lock_guard guard{lock_};
    done_ = true;
    time_ = now();
    error_ = std::move(error);
  }
  completed_.notify_all();
}

bool record_point::done() const {
  const std::lock_guard guard{lock_};
  return done_;
}

ticks record_point::time() const {
  const std::lock_guard guard{lock_};
  return time_;
}

std::exception_ptr record_point::wait() const {
  std::unique_lock guard{lock_};
  completed_.wait(guard, [this] { return done_; });
  return error_;
}

worker_stream::worker_stream(const detail::address_window& window, double slowdown)
    : slowdown_{slowdown}, worker_{[this, window] { run(window); }} {}

worker_stream::~worker_stream() {
  {
    const std::lock_guard guard{lock_};
    ending_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

void worker_stream::end(worker_stream* stream) noexcept {
  if (detail::leaves_all()) return detail::abandon(stream);
  delete stream;
}

void worker_stream::push(operation work) {
  if (captured_) {
    captured_->push_back(std::move(work));
  } else {
    // Recorded ones compute as the thread does that replays them.
    enqueue({.work = std::move(work),
             .record = {},
             .wait = {},
             .of_caller = detail::fp_environment::of_this_thread()});
  }
}

void worker_stream::push_record(std::shared_ptr<record_point> point) {
  enqueue({.work = {}, .record = std::move(point), .wait = {}});
}

void worker_stream::push_wait(std::shared_ptr<record_point> point) {
  enqueue({.work = {}, .record = {}, .wait = std::move(point)});
}

std::exception_ptr worker_stream::drain() {
  std::unique_lock guard{lock_};
  changed_.wait(guard, [this] { return queue_.empty(); });
  return std::exchange(error_, nullptr);
}

std::exception_ptr worker_stream::take_error() {
  const std::lock_guard guard{lock_};
  // What is queued behind the failure stays skipped after it has been reported.
  if (error_ != nullptr) {
    for (entry& each : queue_) each.failed = error_;
  }
  return std::exchange(error_, nullptr);
}

graph worker_stream::end_capture() {
  graph recorded = std::move(*captured_);
  captured_.reset();
  return recorded;
}

void worker_stream::enqueue(entry next) {
  {
    const std::lock_guard guard{lock_};
    queue_.push_back(std::move(next));
  }
  changed_.notify_all();
}

void worker_stream::run(const detail::address_window& window) {
  unbind_this_thread();
  detail::is_thread_of_device = true;
  detail::use_window_in_this_thread(window);
  std::unique_lock guard{lock_};
  for (;;) {
    changed_.wait(guard, [this] { return ending_ || !queue_.empty(); });
    if (queue_.empty()) return;
    // References into a deque survive push_back, so the queue may grow while its front runs.
    const entry& next = queue_.front();
    const std::exception_ptr failed = next.failed != nullptr ? next.failed : error_;
    guard.unlock();
    std::exception_ptr met = run(next, failed);
    guard.lock();
    if (error_ == nullptr) error_ = std::move(met);
    queue_.pop_front();
    if (queue_.empty()) changed_.notify_all();
  }
}

std::exception_ptr worker_stream::run(const entry& next, const std::exception_ptr& failed) {
  if (next.wait) return next.wait->wait();
  if (next.record) {
    next.record->complete(failed);
  } else if (failed == nullptr) {
    next.of_caller.take();
    try {
      next.work();
    } catch (...) {
      return std::current_exception();
    }
  }
  return nullptr;
}

}  // namespace yoke::emulated
