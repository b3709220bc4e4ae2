#include "ready_queue.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

bool is_later(const ready_task& a, const ready_task& b) { return b.is_before(a); }

}  // namespace

void ready_queue::push(const ready_task& task) {
  ++size_;
  const bool is_full = window_.size() == window_size;
  const bool is_last = !window_.empty() && !task.is_before(window_.back());
  if (is_last && is_full) return push_behind(task);
  if (is_full) {
    push_behind(window_.back());
    window_.pop_back();
  }
  window_.insert(std::ranges::upper_bound(window_, task, &ready_task::is_before), task);
}

void ready_queue::remove(const ready_task& task, const stale_test& is_stale) {
  --size_;
  const auto at = std::ranges::find(window_, task.order, &ready_task::order);
  if (at == window_.end()) return;
  window_.erase(at);
  while (window_.size() < window_size && !behind_.empty())
    if (const ready_task next = pop_behind(); !is_stale(next)) window_.push_back(next);
}

void ready_queue::push_behind(const ready_task& task) {
  behind_.push_back(task);
  std::ranges::push_heap(behind_, is_later);
}

ready_task ready_queue::pop_behind() {
  std::ranges::pop_heap(behind_, is_later);
  const ready_task task = behind_.back();
  behind_.pop_back();
  return task;
}

}  // namespace yoke::scheduling
