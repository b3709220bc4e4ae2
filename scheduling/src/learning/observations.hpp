#pragma once
/// What the units of a run tell while they work, and what a pass with the present map takes.

#include "../maps/assignment.hpp"
#include "../maps/forecast.hpp"
#include "../speeds/sample.hpp"
#include "../speeds/speed_model.hpp"
#include "../speeds/unit_record.hpp"
#include "alternatives.hpp"
#include "late_batches.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Thread-safe; one lock for each unit, never two of these at a time, so that units do not wait for each
/// other. What is concluded while units go on telling may lack their newest batch.
class observations {
 public:
  /// `units` outlive this. `task`: usual weight of one.
  observations(std::span<const unit> units, double task);

  /// A batch of `pass`; see unit_record::add. Warm batches count into this period.
  void add(unit_id unit, pass_id pass, double weight, seconds time, bool is_warm);
  /// The unit has finished a warm pass.
  void finished(unit_id unit);
  /// The clock says that `passes` warm ones took `time`; `overlap`: see pass_times::add.
  void ran(pass_id passes, seconds time, double overlap);
  /// As though the unit had done such a batch, in no period.
  void rehearsed(unit_id unit, double weight, seconds time);
  /// The same, of an earlier run.
  void recalled(unit_id unit, double weight, seconds time);
  /// Whether this run has told of the unit.
  bool is_heard(std::size_t unit) const;

  /// Whether every unit that has tasks has reported on some; of a pool, any of those that share it.
  bool cover(const assignment& shares) const;
  /// Of units that were not heard of: by the others of their kind, else by what their hardware promises;
  /// nullopt where there is nothing at all.
  std::optional<unit_speeds> speeds() const;
  /// What a pass takes in this period: by the clock, or else what the busiest unit needed, unless that is to
  /// be waited for. `spread`: see pass_times::get.
  std::optional<pass_time> pass(double spread, bool waits_for_clock = false) const;

  /// All that is known of the passes that took `all`.
  measured_pass timed(pass_time all) const {
    return {.all = all, .cpus = usual_of_busiest(unit_kind::cpu), .gpus = usual_of_busiest(unit_kind::gpu)};
  }

  /// What GPUs would take of which each has an even share of `weight`, were all their batches as quick as the
  /// quickest tenth: 0 where there are few. Whether the usual one takes so much longer that something delays
  /// it.
  struct undelayed {
    seconds pass = 0;
    bool are_delayed = false;
  };
  undelayed gpus_undelayed(double weight) const;
  /// Batches of GPUs that were delayed say nothing of them: those of each that took far longer than its
  /// quickest tenth say.
  void forget_delayed();

  void begin_period();
  /// What was told by those that have tasks says nothing any more.
  void forget(const assignment& shares);

 private:
  struct alignas(64) told {
    mutable std::mutex lock;  ///< of what follows
    unit_record record;
    passes_of_unit passes_of;     ///< warm, of a CPU CU
    bool is_heard = false;        ///< in this run
    seconds busy = 0;             ///< in the warm pass that it is in
    seconds of_passes = 0;        ///< the same of those that it finished in this period
    pass_id passes = 0;           ///< so many
    std::vector<seconds> newest;  ///< of them
    void finish();
  };
  /// What a unit of this kind needed for a pass in this period: the mean, and in how many of them, and what
  /// the median is, each of the unit where it is greatest.
  struct busy_pass {
    seconds mean = 0;
    pass_id passes = 0;
  };
  busy_pass busiest(unit_kind kind) const;
  seconds usual_of_busiest(unit_kind kind) const;

  bool is_told(std::size_t unit) const;
  /// Of what was told until now; the same as the last one where nothing was told since.
  std::optional<kind_model> fit(unit_kind kind) const;
  std::size_t changes_of(unit_kind kind) const;
  lateness late_cpus(std::span<const speed> usual) const;

  struct fitted {
    std::mutex lock;  ///< of what follows
    std::size_t changes = 0;
    std::optional<kind_model> model;
  };

  std::span<const unit> units_;
  double task_;
  std::vector<told> told_;
  mutable std::array<fitted, 2> fitted_;  ///< by kind
  mutable std::mutex clock_lock_;
  pass_times by_clock_;  ///< warm passes of this period
};

}  // namespace yoke::scheduling
