#pragma once
/// The streams and events of an emulated device.

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/device_ptr.hpp>
#include <yoke/fp_environment.hpp>

namespace yoke::emulated {

/// One recording of an event: open until the stream reaches it. Carries the error of a stream that failed
/// before it. Thread-safe.
class record_point {
 public:
  void complete(std::exception_ptr error);
  bool done() const;
  /// When it was completed; requires done().
  ticks time() const;
  /// Blocks until it is complete; its error, if any.
  std::exception_ptr wait() const;

 private:
  mutable std::mutex lock_;
  mutable std::condition_variable completed_;
  bool done_ = false;
  ticks time_ = 0;
  std::exception_ptr error_;
};

using operation = std::function<void()>;
using graph = std::vector<operation>;

/// A queue with a thread of its own that runs it in order. As on a GPU, an operation that fails makes the
/// stream skip what is queued behind it until the error has been thrown; events are completed all the same,
/// so that nobody waits for ever. Used by one thread at a time.
class worker_stream {
 public:
  /// `window` is what device_ptr accepts on the stream's thread; `slowdown` of its kernels is for who queues
  /// them.
  worker_stream(const detail::address_window& window, double slowdown);
  /// Runs what is queued, then ends.
  ~worker_stream();
  /// Deletes it, but in a forked child, which has no thread to join.
  static void end(worker_stream* stream) noexcept;
  worker_stream(const worker_stream&) = delete;
  worker_stream& operator=(const worker_stream&) = delete;

  /// Queues the operation, or records it during a capture.
  void push(operation work);
  void push_record(std::shared_ptr<record_point> point);
  void push_wait(std::shared_ptr<record_point> point);
  /// Waits until the queue is empty and takes the error met.
  std::exception_ptr drain();
  /// Takes the error met so far, without waiting.
  std::exception_ptr take_error();

  double slowdown() const { return slowdown_; }
  bool capturing() const { return captured_.has_value(); }
  void begin_capture() { captured_.emplace(); }
  graph end_capture();

 private:
  struct entry {
    operation work;
    std::shared_ptr<record_point> record;
    std::shared_ptr<record_point> wait;
    detail::fp_environment of_caller{};  ///< of `work`
    std::exception_ptr failed{};         ///< the error of an operation before it, once that has been taken
  };
  void enqueue(entry next);
  void run(const detail::address_window& window);
  /// Runs one entry; `failed` is the error of an operation before it. The result is its own.
  static std::exception_ptr run(const entry& next, const std::exception_ptr& failed);

  const double slowdown_;
  std::optional<graph> captured_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<entry> queue_;  ///< the front is what runs now
  std::exception_ptr error_;
  bool ending_ = false;
  std::thread worker_;
};

}  // namespace yoke::emulated
