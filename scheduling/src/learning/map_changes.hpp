#pragma once
/// The changes of the map in a run: how many there may be, what each takes, and when they were.

#include "alternatives.hpp"

#include <optional>
#include <span>
#include <string>
#include <utility>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// What changes take beside moving data is learnt from each, in passes; what is usual where none was seen.
class map_changes {
 public:
  /// Since the start, or since the machine has changed.
  int count() const { return count_; }
  /// Whether there may be one more, `passes` later; one that `is_try` only where there may be another one
  /// after it, to go back.
  bool may_be_more(pass_id passes, bool is_try) const;
  /// To `what` before `pass`, for which moving data is to take `moving`; `part`: what passes are to take, of
  /// what they took; empty where nobody knows.
  void make(const alternative& what, std::span<const unit> units, pass_id pass, std::optional<double> part,
            seconds moving);
  /// The first passes with the newest map.
  void began(pass_id passes, seconds time);
  /// What a pass takes with it then.
  void settled(seconds pass);
  /// Of one beside moving data: the mean, in passes.
  double cost() const;
  /// The machine has changed.
  void start_again() { count_ = 0; }
  /// ": in pass 5 to GPUs alone for 6.1% less, in pass 21 to …"; empty where there were none.
  const std::string& text() const { return text_; }

 private:
  int count_ = 0;
  seconds moving_ = 0;  ///< foreseen for the newest one
  std::pair<pass_id, seconds> begun_{0, 0};
  double sum_ = 0;
  int seen_ = 0;
  std::string text_;
};

}  // namespace yoke::scheduling
