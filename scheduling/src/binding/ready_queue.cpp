#include "ready_queue.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

bool is_earlier(const ready_task& a, const ready_task& b) { return a.is_before(b); }
bool is_later(const ready_task& a, const ready_task& b) { return b.is_before(a); }

}  // namespace

void ready_queue::push(const ready_task& task) {
  ++size_;
  const bool is_full = window().size() == window_size;
  const bool is_last = !window().empty() && !task.is_before(window_.back());
  if (is_last && is_full) return push_behind(task);
  if (is_full) {
    push_behind(window_.back());
    window_.pop_back();
  }
  if (is_last) return window_.push_back(task);
  const auto first = window_.begin() + static_cast<std::ptrdiff_t>(n_gone_);
  window_.insert(std::upper_bound(first, window_.end(), task, is_earlier), task);
}

void ready_queue::remove(const ready_task& task, const stale_test& is_stale) {
  --size_;
  const auto first = window_.begin() + static_cast<std::ptrdiff_t>(n_gone_);
  const auto at = std::ranges::find(first, window_.end(), task.order, &ready_task::order);
  if (at == window_.end()) return;
  if (at == first)
    leave_first();
  else
    window_.erase(at);
  while (window().size() < window_size && has_behind())
    if (const ready_task next = pop_behind(); !is_stale(next)) window_.push_back(next);
}

void ready_queue::leave_first() {
  if (++n_gone_ < window_size) return;
  window_.erase(window_.begin(), window_.begin() + window_size);
  n_gone_ = 0;
}

void ready_queue::push_behind(const ready_task& task) {
  if (in_line_.empty() || in_line_.back().is_before(task)) return in_line_.push_back(task);
  heap_.push_back(task);
  std::ranges::push_heap(heap_, is_later);
}

/// Requires one.
ready_task ready_queue::pop_behind() {
  ready_task task;
  if (heap_.empty() || (!in_line_.empty() && in_line_.front().is_before(heap_.front()))) {
    task = in_line_.front();
    in_line_.pop_front();
    return task;
  }
  std::ranges::pop_heap(heap_, is_later);
  task = heap_.back();
  heap_.pop_back();
  return task;
}

}  // namespace yoke::scheduling
