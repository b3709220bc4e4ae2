#pragma once
/// What schedules have in common that may change their map between any two passes.

#include "../maps/assignment.hpp"
#include "../maps/moderate.hpp"
#include "fixed_map.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// A map holds for a stretch of passes. Which one a pass has is decided once, under the lock, when the first
/// unit asks for that pass; units that lag behind still find theirs.
class remapping_schedule : public schedule {
 public:
  std::span<const task_id> next(unit_id unit, pass_id pass) final;
  void prepare(pass_id pass) final;
  pass_plan plan_of(pass_id pass) const final;

 protected:
  remapping_schedule(const workload& work, std::span<const unit> units)
      : work_{moderate(work)},
        scale_{moderation_of(work)},
        units_{units.begin(), units.end()},
        states_(units.size()) {}

  const workload& work() const { return work_; }
  /// What the program calls so, in the weights of work().
  double moderated(double weight) const { return weight * scale_; }
  std::span<const unit> units() const { return units_; }
  /// Passes that the map of a unit's pass had before it: the first are cold. The unit is in it.
  pass_id earlier_passes(unit_id unit, pass_id pass) const {
    return pass - states_[index(unit)].in.by->first;
  }

  /// `pass` comes, and nothing was decided beyond the one before: either `remap` or `keep_until`. Called
  /// under the lock.
  virtual void decide(pass_id pass) = 0;
  /// The unit is through with a pass whose map had so many before.
  virtual void finished(unit_id unit, pass_id earlier) = 0;

  /// Of all that follows, and of what derived classes decide by.
  std::mutex& lock() const { return lock_; }
  /// From pass `first` on; no unit has asked for it.
  void remap(pass_id first, assignment shares, cpu_tasks cpus = cpu_tasks::own);
  /// Before that pass nothing is decided.
  void keep_until(pass_id pass) { until_ = pass; }
  pass_id kept_until() const { return until_; }
  /// From pass `first` on, which no unit has asked for, GPU CUs get their shares as one task and then so
  /// many batches, from which launch and throughput can be told apart; 0: in one piece, as with a new map.
  void deal_after_one(int batches, pass_id first);
  /// Of the newest map.
  const assignment& shares() const { return stretches_.back().by->map.shares(); }
  pass_id mapped_at() const { return stretches_.back().by->first; }
  std::size_t changes() const { return maps_.size() - 1; }
  /// The newest pass that any unit had to ask for, the one to decide upon in `decide`; -1 before.
  pass_id newest() const { return newest_; }
  /// Whether any unit has asked for tasks.
  bool has_begun() const {
    return std::ranges::any_of(states_, [](const unit_state& unit) { return unit.in.by != nullptr; });
  }

 private:
  struct mapped {
    mapped(pass_id from, assignment shares, cpu_tasks cpus, const remapping_schedule& of)
        : first{from}, map{std::move(shares), of.work_, of.units_, cpus} {}

    const pass_id first;
    fixed_map map;
  };
  /// Passes whose tasks come in the same batches.
  struct stretch {
    pass_id first = 0;
    mapped* by = nullptr;
    int batches = 0;  ///< of a GPU CU's share behind its first task
  };
  /// Of one unit and seen by it alone. Units without tasks run through hundreds of passes at once: when each
  /// of these took the lock, 30 such units kept two GPUs waiting for a fifth of SP-MZ class B.
  struct alignas(64) unit_state {
    stretch in{};
    pass_id until = 0;  ///< the first pass of which it has to ask
  };

  void decide_by(pass_id pass);
  const stretch& of_pass(pass_id pass) const;
  pass_id end_of(pass_id pass) const;

  workload work_;
  double scale_;
  std::vector<unit> units_;
  std::vector<unit_state> states_;

  mutable std::mutex lock_;  ///< of what follows
  std::vector<std::unique_ptr<mapped>> maps_;
  std::vector<stretch> stretches_;
  pass_id newest_ = -1;
  pass_id until_ = 1;
};

}  // namespace yoke::scheduling
