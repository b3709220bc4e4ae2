#pragma once
/// What the parts of a GPU CU's step work with.

#include "batch_parts.hpp"
#include "batch_plans.hpp"
#include "driver/step/step_run.hpp"
#include "side_stream.hpp"
#include "solver_launches.hpp"

#include <span>

#include <yoke/compute_units.hpp>

namespace npb {

struct device_work {
  /// Errors: out_of_memory when the faces do not fit on the device.
  device_work(const stepping& shared, const yoke::compute_unit& unit);

  /// Whether the solver of this batch could send faces, and whether it does in this step.
  bool can_send() const { return parts.is_share && solver.sends_faces(); }
  bool sends(const step_run& step) const;
  step_form form_of(const step_run& step) const;
  /// Not in a step that sends no faces although others do.
  void capture_if_due(device_plan& plan, yoke::stream_handle stream, step_run& step);
  /// Waits for what is under way, when something has failed already.
  void abandon() noexcept;

  const stepping& shared;
  const yoke::compute_unit& unit;
  solver_launches launches;
  const device_solver& solver;
  batch_parts parts;  ///< of the batch that runs
  batch_plans plans;
  side_stream within;  ///< hostless zones; the unit's own stream is drained after each batch
  side_stream seam;    ///< faces between devices
  side_stream ahead;   ///< border zones
  side_stream lane;    ///< messages
  side_stream beside;  ///< copies of faces while hostless zones run
};

}  // namespace npb
