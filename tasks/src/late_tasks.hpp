#pragma once
/// Who is told of tasks that run longer than was said.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <yoke/task.hpp>

namespace yoke::detail {

/// Thread-safe. No thread before the first `be_ready`.
class late_tasks {
 public:
  late_tasks() = default;
  ~late_tasks();
  late_tasks(const late_tasks&) = delete;
  late_tasks& operator=(const late_tasks&) = delete;

  /// Errors: std::system_error where the system gives no thread.
  void be_ready();
  /// From here on `which` runs; it is told of once, unless it ends before.
  void begins(const void* which, late_task what, const time_bound& bound);
  /// No effect on what has not begun. What is told of now may still be.
  void ends(const void* which);

 private:
  using clock = std::chrono::steady_clock;
  struct running {
    const void* which;
    clock::time_point until;
    late_task what;
    std::function<void(const late_task&)> warns;
  };

  void watch();

  std::mutex lock_;
  std::condition_variable has_changed_;
  std::vector<running> all_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace yoke::detail
