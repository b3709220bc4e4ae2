#include "fake_stream.hpp"

#include <utility>

namespace fake_hip {

worker::~worker() {
  {
    const std::lock_guard lock{mutex_};
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void worker::add(operation next) {
  const std::lock_guard lock{mutex_};
  queue_.push_back(std::move(next));
  changed_.notify_all();
}

void worker::wait() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return queue_.empty(); });
}

void worker::work() {
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !queue_.empty(); });
    if (queue_.empty()) return;
    // Others only add behind it meanwhile, which leaves it where it is.
    const operation& next = queue_.front();
    lock.unlock();
    next();
    lock.lock();
    queue_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace fake_hip

void ihipStream_t::add(fake_hip::operation next) {
  if (capturing) return captured.push_back(std::move(next));
  worker.add(std::move(next));
}
