#include "agent_threads.hpp"

#include <utility>

#include <yoke/affinity.hpp>

namespace yoke::detail {

agent_threads::~agent_threads() {
  {
    const std::lock_guard guard{lock_};
    ends_ = true;
  }
  has_work_.notify_all();
  for (std::thread& each : all_) each.join();
}

void agent_threads::run(std::function<void()> what) {
  const std::lock_guard guard{lock_};
  if (waiting_.size() >= n_idle_) all_.emplace_back([this] { work(); }), ++n_idle_;
  waiting_.push_back(std::move(what));
  has_work_.notify_one();
}

void agent_threads::work() {
  unbind_this_thread();
  std::unique_lock guard{lock_};
  while (true) {
    has_work_.wait(guard, [this] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::function<void()> next = std::move(waiting_.front());
    waiting_.pop_front();
    --n_idle_;
    guard.unlock();
    next();
    guard.lock();
    ++n_idle_;
  }
}

}  // namespace yoke::detail
