#pragma once
/// Which of several recordings a schedule goes by.

#include <algorithm>
#include <cstdint>
#include <optional>

namespace yoke::detail {

/// Whose steps a schedule is told of.
class step_leader {
 public:
  bool is(const void* recording) const { return leader_ == recording; }
  /// Steps that `recording`, which has done `steps`, does before it may lead; none where it never will.
  std::optional<std::int64_t> steps_before(std::int64_t steps) const {
    if (is_chosen_) return std::nullopt;
    return std::max<std::int64_t>(steps_ + 1 - steps, 1);
  }
  /// Whatever others do.
  void choose(const void* recording) {
    leader_ = recording;
    is_chosen_ = true;
  }
  void has_done(const void* recording, std::int64_t steps) {
    if (leader_ != recording && (is_chosen_ || steps <= steps_)) return;
    leader_ = recording;
    steps_ = steps;
  }
  void forget(const void* recording) {
    if (leader_ == recording) *this = {};
  }

 private:
  const void* leader_ = nullptr;
  std::int64_t steps_ = 0;
  bool is_chosen_ = false;
};

}  // namespace yoke::detail
