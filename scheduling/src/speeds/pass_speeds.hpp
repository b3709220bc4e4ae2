#pragma once
/// What the units of a loop need for a weight, seen by whole passes.

#include "../maps/assignment.hpp"

#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// One figure for each unit, as launches and other fixed costs are part of what its present share takes: for
/// small changes of it. The median of the passes since `begin`, so that one slow pass moves nothing.
/// Thread-safe; a lock for each unit.
class pass_speeds {
 public:
  /// `units` outlive this.
  explicit pass_speeds(std::span<const unit> units) : units_{units}, told_(units.size()) {}

  /// A batch of the pass that the unit is in.
  void add(unit_id unit, double weight, seconds time);
  /// The unit has finished its pass; one that is cold says nothing.
  void finished(unit_id unit, bool is_warm);
  /// Of a unit that was not heard of lately: what it said last, or the median of its kind, or what its
  /// hardware promises; nullopt where there is nothing at all.
  std::optional<std::vector<speed>> get() const;
  /// What was said until now counts only for units that say nothing from now on.
  void begin();

 private:
  struct alignas(64) told {
    mutable std::mutex lock;  ///< of what follows
    double weight = 0;        ///< of this pass
    seconds busy = 0;
    std::vector<double> passes;  ///< seconds for a weight of 1
    std::optional<double> last;  ///< the same of the passes before
  };
  static std::optional<double> usual(const told& of);

  std::span<const unit> units_;
  std::vector<told> told_;
};

}  // namespace yoke::scheduling
