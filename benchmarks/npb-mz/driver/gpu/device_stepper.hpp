#pragma once
/// Runs batches of zones on one GPU CU.

#include "batch_parts.hpp"
#include "batch_plans.hpp"
#include "driver/march/stepping.hpp"
#include "inner_plan.hpp"
#include "side_stream.hpp"
#include "solver_launches.hpp"

#include <span>

#include <yoke/compute_units.hpp>

namespace npb {

/// Used inside of runs, but for abandon. Between two steps of a run with a fixed map inner zones may be on
/// their way to the next one; behind the last step nothing is under way.
class device_stepper {
 public:
  /// Errors: out_of_memory when the faces do not fit on the device.
  device_stepper(const stepping& shared, const yoke::compute_unit& unit);
  ~device_stepper() { abandon(); }
  device_stepper(const device_stepper&) = delete;
  device_stepper& operator=(const device_stepper&) = delete;

  /// One step of all zones of `batch` together: waits for all of them, brings in what is elsewhere, one
  /// message from each other space, one launch to unpack, the solver's launches, one to pack, one message
  /// back; then publishes. Where the map is known and the batch is the CU's whole share, faces between its
  /// zones are sent by the solver or copied straight, and zones that have all their neighbours in it run
  /// beside the others, which are preferred so that their faces leave early. The solver's launches for a
  /// batch that comes again are replayed as a graph.
  void run(std::span<const yoke::task_id> batch, int step, unit_account& account);

  /// Runs every kernel once on a zone nobody else uses, so that loading them is not part of the first pass.
  /// What it leaves in the zone is of no use.
  void rehearse(yoke::task_id zone, unit_account& account);

  /// Waits for what is under way, after a run that has failed.
  void abandon() noexcept;

 private:
  template <class Work>
  void or_abandon(const Work& work);
  void look_at(std::span<const yoke::task_id> batch);
  void run_parts(int step, unit_account& account);
  void ready_share(int step, unit_account& account);
  void launch_share(int step, unit_account& account);
  void place_faces(int step, unit_account& account);
  bool may_go_on(int step) const;
  void leave_faces(int step, unit_account& account);
  void lay_out_share(int step, unit_account& account);
  void start_inner(int step, unit_account& account);
  void await_border(int step, unit_account& account) const;
  batch_plan& start_border(int step, unit_account& account);
  void advance_border(const batch_plan& border, int step, unit_account& account);
  void fetch(batch_plan& border, int step);
  void receive(const batch_plan& border);
  void send(const batch_plan& border);
  void fetch_ahead(int step, unit_account& account);
  void finish_border(const batch_plan& border, int step, unit_account& account);
  void synchronize(int step, unit_account& account);
  void note_exchange(int step, unit_account& account);
  void publish(std::span<const yoke::task_id> zones, int step, unit_account& account);
  bool are_ready(std::span<const yoke::task_id> zones, int step) const;
  void wait(std::span<const yoke::task_id> batch, int step, unit_account& account);
  template <class Work>
  void exchange_on_host(int step, unit_account& account, const Work& work);
  batch_plan& prepare(int step, unit_account& account);
  bool can_send() const;
  bool sends(int step) const;
  step_form form_of(int step) const;
  void capture_if_due(device_plan& plan, yoke::stream_handle stream, int step, unit_account& account);

  moment moment_of(int step) const { return shared_.faces.moment_of(step); }

  const stepping& shared_;
  const yoke::compute_unit& unit_;
  solver_launches launches_;
  const device_solver& solver_;
  batch_parts parts_;  ///< of the batch that runs
  batch_plans plans_;
  inner_plan share_;
  bool is_busy_ = false;     ///< something may be under way on the streams below
  moment left_;              ///< for which the faces among the unit's zones are where they are read
  moment started_;           ///< to which the share's inner zones are on their way
  side_stream within_;       ///< inner zones; the unit's own stream is drained after each batch
  side_stream ahead_;        ///< border zones
  side_stream lane_;         ///< messages
  side_stream beside_;       ///< copies of faces while inner zones run
  stream_mark inner_begun_;  ///< behind the first part of their step, where it is in two
  stream_mark inner_done_;
  /// Faces: copied before a step, unpacked, packed, on their way out.
  stream_watch placing_, receiving_, sending_, leaving_;
};

}  // namespace npb
