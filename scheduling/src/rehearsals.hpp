#pragma once
/// What units needed for one task each, before the first pass.

#include "assignment.hpp"
#include "cuts.hpp"
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
  void note(unit_id unit, double weight, seconds time) { samples_[index(unit)] = {weight, time}; }
  /// The best map of the CPU CUs where all of them together are through with everything, and to spare, before
  /// any GPU CU is through with the lightest task; GPUs are told of then, too. nullopt else, and until all
  /// units were heard of.
  std::optional<shared_map> on_cpus_alone(observations& told) const;

 private:
  struct sample {
    double weight = 0;  ///< 0: of a unit that was not heard of
    seconds time = 0;
  };
  bool rule_out_gpus() const;

  const workload& work_;
  std::span<const unit> units_;
  std::vector<sample> samples_;
};

}  // namespace yoke::scheduling
