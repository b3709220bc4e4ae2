#pragma once
/// Passes of a loop in one parallel region.

#include "loop_parts.hpp"
#include "meeting.hpp"

#include <vector>

#include <yoke/clock.hpp>
#include <yoke/compute_units.hpp>
#include <yoke/runtime.hpp>

namespace yoke::detail {

/// The CUs that have tasks run pass after pass, and go on as long as there are further passes for the same
/// CUs. The others leave at once: OpenMP's barrier behind the region waits for them no longer.
class region_run {
 public:
  /// All must outlive it. `loop` may be moved from by the body, and is then refused.
  region_run(task_loop& loop, task_loop::parts& of, const compute_units& units, pass_id passes,
             const batch_body_with_pass& body, const further_passes& further);

  /// What each CU does in the region.
  void work(const compute_unit& unit);
  /// Behind the region: all CUs have had the passes that were run.
  void end();
  /// Passes that follow and want other CUs.
  pass_id left() const { return left_; }

 private:
  void run_passes(const compute_unit& unit);
  void go_on();
  void tell_learner();

  task_loop& loop_;
  task_loop::parts& of_;
  const compute_units& units_;
  const batch_body_with_pass& body_;
  const further_passes& further_;
  pass_id began_, end_;  ///< of the passes since the last meeting; changed while all are there
  ticks from_ = now();
  pass_id left_ = 0;
  std::vector<bool> crew_;
  meeting meeting_;
};

}  // namespace yoke::detail
