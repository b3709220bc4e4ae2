#pragma once
/// Runs batches of zones on one GPU CU.

#include "border_zones.hpp"
#include "device_work.hpp"
#include "hostless_zones.hpp"

#include <functional>
#include <span>

#include <yoke/compute_units.hpp>

namespace npb {

/// Used inside of runs, but for abandon. Between two steps of a run with a fixed map zones may be on their
/// way to the next one; behind the last step nothing is under way. A drawing of a step is in
/// docs/guide/npb-mz.md.
class device_stepper {
 public:
  /// Errors: out_of_memory when the faces do not fit on the device.
  device_stepper(const stepping& shared, const yoke::compute_unit& unit);
  /// Frees what was laid out for batches, and the work memory. Outside of runs.
  void give_back() { work_.plans.give_back(); }
  ~device_stepper() { abandon(); }
  device_stepper(const device_stepper&) = delete;
  device_stepper& operator=(const device_stepper&) = delete;

  /// One step of all zones of `batch` together. Where the map is known and the batch is the CU's whole share,
  /// faces between its zones are sent by the solver or copied straight, and zones of which no host has to see
  /// a face run together (hostless_zones.hpp), beside the others (border_zones.hpp), which are preferred so
  /// that their faces leave early. The solver's launches for a batch that comes again are replayed as a
  /// graph.
  void run(std::span<const yoke::task_id> batch, step_run& step);

  /// Runs every kernel once on a zone nobody else uses, so that loading them is not part of the first pass.
  /// What it leaves in the zone is of no use.
  void rehearse(yoke::task_id zone, step_run& step);

  /// Waits for what is under way, after a run that has failed.
  void abandon() noexcept;

 private:
  template <class Work>
  void or_abandon(const Work& work);
  void look_at(std::span<const yoke::task_id> batch);
  void run_parts(step_run& step);
  bool others_are_left(moment at) const { return work_.parts.is_share && !hostless_.is_complete(at); }
  bool may_move_border(moment at) const;
  bool may_complete_others(moment at) const;
  bool is_at_work(moment at) const;
  void set_going(step_run& step);
  void wait_to_go_on(step_run& step);
  void announce_if_due(step_run& step);
  void begin_next(step_run& step);
  void finish(step_run& step);
  void note_waiting(step_run& step);
  void note_exchange(step_run& step);

  device_work work_;
  hostless_zones hostless_;
  border_zones border_;
  bool is_busy_ = false;  ///< something may be under way on the streams
  moment running_;        ///< the newest step that was run
  std::function<bool()> works_on_it_;
};

}  // namespace npb
