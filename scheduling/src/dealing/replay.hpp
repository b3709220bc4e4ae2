#pragma once
/// A fixed assignment, handed out again in every pass.

#include "../maps/assignment.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Thread-safe without locks or atomics: the shares never change, and a unit's cursor is touched by that unit
/// alone.
class replay {
 public:
  /// A unit that takes whole shares gets its own as one batch, another one `chunk` tasks.
  replay(assignment shares, std::span<const unit> units, int chunk = 1)
      : shares_{std::move(shares)}, cursors_(units.size()) {
    for (std::size_t u = 0; u < units.size(); ++u) {
      const int size = static_cast<int>(shares_[u].size());
      cursors_[u].tasks = shares_[u];
      cursors_[u].batch = takes_whole_shares(units[u]) ? size : chunk;
    }
  }

  std::span<const task_id> next(unit_id unit, pass_id pass) {
    return next(unit, pass, cursors_[index(unit)].batch);
  }
  /// With another batch size than usual.
  std::span<const task_id> next(unit_id unit, pass_id pass, int limit) {
    cursor& at = cursor_in(unit, pass);
    const std::size_t size = std::min(static_cast<std::size_t>(limit), at.tasks.size() - at.done);
    at.done += size;
    return at.tasks.subspan(at.done - size, size);
  }
  /// One task, then the others in so many batches.
  std::span<const task_id> next_after_one(unit_id unit, pass_id pass, int batches) {
    const cursor& at = cursor_in(unit, pass);
    const int others = static_cast<int>(at.tasks.size()) - 1;
    return next(unit, pass, at.done == 0 ? 1 : (others + batches - 1) / batches);
  }

  const assignment& shares() const { return shares_; }

 private:
  struct alignas(64) cursor {
    std::span<const task_id> tasks;
    pass_id pass = -1;
    std::size_t done = 0;
    int batch = 1;
  };

  cursor& cursor_in(unit_id unit, pass_id pass) {
    cursor& at = cursors_[index(unit)];
    if (at.pass != pass) {
      at.pass = pass;
      at.done = 0;
    }
    return at;
  }

  assignment shares_;
  std::vector<cursor> cursors_;
};

}  // namespace yoke::scheduling
