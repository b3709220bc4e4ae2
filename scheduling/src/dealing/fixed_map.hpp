#pragma once
/// A map that holds: each unit has its own tasks, or CPU CUs share theirs.

#include "../maps/assignment.hpp"
#include "cpu_pool.hpp"
#include "replay.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Thread-safe without locks.
class fixed_map {
 public:
  /// `units` outlive this.
  fixed_map(assignment shares, const workload& work, std::span<const unit> units,
            cpu_tasks cpus = cpu_tasks::own)
      : units_{units}, of_each_{std::move(shares), units} {
    const auto has_tasks = [&](std::size_t unit) { return !of_each_.shares()[unit].empty(); };
    if (cpus == cpu_tasks::shared && std::ranges::any_of(units_of(unit_kind::cpu, units), has_tasks))
      pool_.emplace(of_each_.shares(), work, units);
  }

  std::span<const task_id> next(unit_id unit, pass_id pass) {
    const bool takes_from_pool = pool_ && units_[index(unit)].kind == unit_kind::cpu;
    return takes_from_pool ? pool_->next(unit, pass) : of_each_.next(unit, pass);
  }
  /// The same, but a GPU CU gets one task of its share, then the others in so many batches.
  std::span<const task_id> next_after_one(unit_id unit, pass_id pass, int batches) {
    const bool is_gpu = units_[index(unit)].kind == unit_kind::gpu;
    return is_gpu ? of_each_.next_after_one(unit, pass, batches) : next(unit, pass);
  }

  const assignment& shares() const { return of_each_.shares(); }
  bool is_shared() const { return pool_.has_value(); }

 private:
  std::span<const unit> units_;
  replay of_each_;
  std::optional<cpu_pool> pool_;
};

}  // namespace yoke::scheduling
