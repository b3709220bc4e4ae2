#pragma once
/// A map that is decided from measured times: a provisional one first, the final one from some pass on.

#include "../maps/assignment.hpp"
#include "../speeds/speed_model.hpp"
#include "../speeds/speeds.hpp"
#include "fixed_map.hpp"
#include "replay.hpp"

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Pass 0 is cold and not looked at; passes 1 to 4 are measured (with the first, the five iterations of
/// González & Morancho); the final map holds from the first pass that begins after every unit has finished
/// them.
///
/// Units' passes overlap, and nobody may wait: which map a pass has is decided once, under the lock, when
/// the first unit asks for that pass, from what has been reported by then. As no unit can have asked for it
/// before, all of them follow the decision, and each pass has every task once. Where a unit lags behind, the
/// decision simply comes some passes later. A unit that has come to the final map takes the lock no more.
class map_plan {
 public:
  /// From the fitted speeds; nullopt where no better map is found: the provisional one then stays for good.
  using decision = std::function<std::optional<assignment>(speed_fits)>;

  static constexpr pass_id profiling_passes = 5;

  /// Fixed from pass 0 on.
  map_plan(assignment final_shares, const workload& work, std::span<const unit> units,
           cpu_tasks of_final = cpu_tasks::own);
  /// Undecided. `decide` is called under the lock.
  map_plan(assignment provisional, const workload& work, std::span<const unit> units, decision decide,
           cpu_tasks of_final = cpu_tasks::own);

  std::span<const task_id> next(unit_id unit, pass_id pass);
  void done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time);
  /// As those of schedule. A provisional map is told for one pass at a time: each is cut in its own way.
  void prepare(pass_id pass);
  pass_plan plan_of(pass_id pass) const;
  /// The shares in force: the final ones, or the provisional ones while undecided. Never change once final.
  const assignment& shares() const;

 private:
  struct alignas(64) unit_state {
    pass_id pass = -1;
    bool settled = false;   ///< this unit has come to the final map
    pass_id finished = -1;  ///< guarded by the lock, as is `samples`
    unit_samples samples{};
  };

  void enter(unit_state& own, pass_id pass);
  void decide_by(pass_id pass);
  void finish(unit_state& own, pass_id pass);
  int provisional_batch(unit_id unit, pass_id pass) const;
  /// Of each unit with samples, beside the others of its kind.
  std::vector<std::optional<speed>> fits() const;
  bool has_samples(unit_kind kind) const;
  bool is_measured() const;
  void settle(assignment shares, pass_id pass);

  workload work_;
  std::vector<unit> units_;
  replay provisional_;
  decision decide_;
  cpu_tasks of_final_;
  std::vector<unit_state> states_;

  mutable std::mutex lock_;
  std::optional<fixed_map> final_;
  pass_id final_from_ = -1;
  pass_id newest_pass_ = -1;
};

}  // namespace yoke::scheduling
