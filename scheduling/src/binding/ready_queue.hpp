#pragma once
/// Tasks that may be bound, the most urgent ones in order.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

namespace yoke::scheduling {

struct ready_task {
  int priority = 0;
  std::uint32_t record = 0;
  std::uint64_t order = 0;  ///< in which it was told

  bool is_before(const ready_task& other) const {
    return priority != other.priority ? priority > other.priority : order < other.order;
  }
};

class ready_queue {
 public:
  /// So many are looked at: a task may pass by a unit that has room, since it waits for a faster one, and
  /// then it is another one's turn. With 32 random graphs end at 1.106 of HEFT's makespan in the median, with
  /// 8 at 1.140, with 128 at 1.105. What is behind is reckoned by their mean.
  static constexpr std::size_t window_size = 32;
  using stale_test = std::function<bool(const ready_task&)>;

  /// Cost: O(log n + window), as of remove.
  void push(const ready_task& task);
  /// `is_stale`: of one behind the window, that it was removed before.
  void remove(const ready_task& task, const stale_test& is_stale);
  /// The most urgent ones, in order.
  std::span<const ready_task> window() const { return std::span{window_}.subspan(n_gone_); }
  std::size_t size() const { return size_; }
  std::size_t behind_window() const { return size_ - window().size(); }

 private:
  void push_behind(const ready_task& task);
  void leave_first();
  bool has_behind() const { return !in_line_.empty() || !heap_.empty(); }
  ready_task pop_behind();

  std::vector<ready_task> window_;
  std::size_t n_gone_ = 0;  ///< of these, at its beginning, so that they are not moved for each that goes
  // What is behind: in order, as most come, or a heap of what came before one of these.
  std::deque<ready_task> in_line_;
  std::vector<ready_task> heap_;
  std::size_t size_ = 0;
};

}  // namespace yoke::scheduling
