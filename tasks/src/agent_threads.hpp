#pragma once
/// Threads for agents, on any CPU of the process.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace yoke::detail {

/// Thread-safe. As many threads as there were agents at once; its end waits for what they do.
class agent_threads {
 public:
  agent_threads() = default;
  ~agent_threads();
  agent_threads(const agent_threads&) = delete;
  agent_threads& operator=(const agent_threads&) = delete;

  /// `what`, which does not throw, on a thread that has nothing else. Errors: std::system_error where the
  /// system gives none.
  void run(std::function<void()> what);

 private:
  void work();

  std::mutex lock_;
  std::condition_variable has_work_;
  std::deque<std::function<void()>> waiting_;
  std::size_t n_idle_ = 0;
  bool ends_ = false;
  std::vector<std::thread> all_;
};

}  // namespace yoke::detail
