#pragma once
/// What units needed for one task each, before the first pass.

#include "../maps/assignment.hpp"
#include "../maps/cuts.hpp"
#include "observations.hpp"

#include <optional>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// A GPU that runs one task is nearly empty and says nothing of a full one, but that it is no quicker with
/// more.
class rehearsals {
 public:
  /// `work` and `units` outlive this.
  rehearsals(const workload& work, std::span<const unit> units)
      : work_{work}, units_{units}, samples_(units.size()) {}

  /// Whether there are units of both kinds, to be told apart.
  bool can_tell() const {
    return !units_of(unit_kind::cpu, units_).empty() && !units_of(unit_kind::gpu, units_).empty();
  }
  /// Tells of CPU CUs, and says whether this is one.
  bool note(unit_id unit, double weight, seconds time, observations& told);
  /// A map to begin with where GPU CUs cannot be given all tasks, even if any number of them ran in the time
  /// of the heaviest (one after the other where a GPU has one processor): that of the CPU CUs alone where
  /// GPUs cannot save a tenth of their pass, and GPUs are told of then, too; else the tasks on GPU CUs that
  /// are light enough. nullopt where GPUs may do with all, and until all units were heard of.
  std::optional<shared_map> first_map(observations& told) const;

 private:
  struct sample {
    double weight = 0;  ///< 0: of a unit that was not heard of
    seconds time = 0;
  };
  struct best_case {
    seconds of_cpus = 0;  ///< a pass of the CPU CUs alone
    seconds pass = 0;
    std::vector<task_id> for_gpus;
  };
  bool heard_all() const;
  seconds per_weight(unit_kind kind) const;
  double rate_of_cpus() const;
  bool are_serial() const;
  best_case best() const;
  std::optional<shared_map> on_cpus_alone(observations& told) const;
  std::optional<shared_map> with_lightest_on_gpus(std::vector<task_id> light) const;

  const workload& work_;
  std::span<const unit> units_;
  std::vector<sample> samples_;
};

}  // namespace yoke::scheduling
