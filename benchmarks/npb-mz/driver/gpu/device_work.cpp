#include "device_work.hpp"

namespace npb {

device_work::device_work(const stepping& s, const yoke::compute_unit& u)
    : shared{s},
      unit{u},
      launches{s, u},
      solver{launches.solver()},
      plans{s, u, solver},
      within{*u.dev, side_stream::kind::usual},
      seam{*u.dev, side_stream::kind::urgent},
      ahead{*u.dev, side_stream::kind::urgent},
      lane{*u.dev, side_stream::kind::usual},
      beside{*u.dev, side_stream::kind::usual} {
  shared.faces.use_device(unit.space);
}

/// Behind the last step boundaries must stay as they are; while the map is open all faces are shown anew.
bool device_work::sends(const step_run& step) const {
  return can_send() && shared.is_fixed && !step.is_last();
}

step_form device_work::form_of(const step_run& step) const {
  const bool meets_border = can_send() && !parts.hostless.empty() && !parts.border.zones.empty();
  return {.sends = sends(step),
          .in_parts = solver.begins_before_faces() || meets_border || !parts.seam.zones.empty()};
}

void device_work::capture_if_due(device_plan& plan, yoke::stream_handle stream, step_run& step) {
  if (can_send() == sends(step)) launches.capture_if_due(plan, stream, form_of(step), step);
}

void device_work::abandon() noexcept {
  for (side_stream* const stream : {&within, &seam, &ahead, &lane, &beside}) stream->abandon();
  plans.finish_all();
}

}  // namespace npb
