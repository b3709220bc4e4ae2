#pragma once
/// Streams, events and graphs of the fake.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace fake_hip {

using operation = std::function<void()>;

/// Runs operations one after the other on a thread of its own; at its end, all that it was given.
class worker {
 public:
  worker() : thread_{[this] { work(); }} {}
  ~worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  void add(operation next);
  void wait();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<operation> queue_;  ///< the first one runs
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace fake_hip

struct ihipStream_t {
  int device = 0;
  bool capturing = false;
  bool broken = false;  ///< the capture
  std::vector<fake_hip::operation> captured{};
  fake_hip::worker worker{};

  /// Runs it after all before, or records it.
  void add(fake_hip::operation next);
};

struct ihipEvent_t {
  struct recording {
    std::atomic<bool> done{false};
    std::chrono::steady_clock::time_point time{};  ///< when it was
  };
  bool timed = false;
  std::shared_ptr<recording> last{};  ///< nullptr before the first
};

struct ihipGraph {
  std::vector<fake_hip::operation> operations{};
};

struct hipGraphExec {
  std::vector<fake_hip::operation> operations{};
};
