#pragma once
/// Batches in progress of units that slow each other down, in virtual time.

#include <queue>
#include <utility>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/simulated_machine.hpp>

namespace yoke::scheduling {

/// All of a group are slowed down alike, so progress is one number that grows by 1/slowdown a second, and the
/// order in which batches end never changes.
class work_queue {
 public:
  using event = std::pair<seconds, int>;  ///< when, which unit

  explicit work_queue(slowdown by) : by_{std::move(by)} {}

  bool is_empty() const { return ends_.empty(); }
  event next() const { return {time_at(ends_.top().first), ends_.top().second}; }
  void pop() { ends_.pop(); }
  /// `unit` begins at `now` what would take it `alone` without the others.
  void push(seconds now, int unit, seconds alone) { ends_.emplace(progress_at(now) + alone, unit); }
  /// So many more units are at work from `now` on, or fewer.
  void add_active(seconds now, int units) {
    active_ += units;
    if (!by_.empty()) slow_down(now, slowdown_at(by_, active_));
  }

 private:
  seconds time_at(double progress) const { return since_ + (progress - done_) * factor_; }
  double progress_at(seconds now) const { return done_ + (now - since_) / factor_; }
  void slow_down(seconds now, double factor) {
    if (factor == factor_) return;
    done_ = progress_at(now);
    since_ = now;
    factor_ = factor;
  }

  slowdown by_;
  int active_ = 0;
  double factor_ = 1;
  seconds since_ = 0;  ///< from here on it is factor_
  double done_ = 0;    ///< progress until then
  std::priority_queue<event, std::vector<event>, std::greater<>> ends_;
};

}  // namespace yoke::scheduling
