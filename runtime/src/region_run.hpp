#pragma once
/// Passes of a loop in one parallel region.

#include "loop_parts.hpp"
#include "meeting.hpp"

#include <atomic>
#include <mutex>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/compute_units.hpp>
#include <yoke/runtime.hpp>

namespace yoke::detail {

/// Errors: usage_error for fewer than none.
pass_id checked_passes(pass_id passes);

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
  bool run_batch(const compute_unit& unit);
  void look_ahead(pass_id pass);
  void go_on(pass_id done);
  void tell_learner(pass_id done);

  task_loop& loop_;
  task_loop::parts& of_;
  const compute_units& units_;
  const batch_body_with_pass& body_;
  const further_passes& further_;
  const pass_id first_;
  std::atomic<pass_id> end_;  ///< of the passes known so far
  std::vector<bool> crew_;
  meeting meeting_;
  std::mutex lock_;  ///< of what follows, while CUs run
  bool is_over_ = false;
  pass_id seen_;  ///< the passes before are told to who learns
  ticks seen_at_ = now();
  long long tasks_seen_;
  pass_id left_ = 0;
};

}  // namespace yoke::detail
