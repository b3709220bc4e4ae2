#include "solver_launches.hpp"

namespace npb {

void solver_launches::capture_if_due(device_plan& plan, yoke::stream_handle stream, step_form form,
                                     step_run& step) {
  if (!shared_.graphs || plan.uses++ == 0 || plan.is_captured()) return;
  step.lay_out([&] {
    const zones_on_device zones = zones_of(plan, stream, form);
    plan.drop_graphs();  // of an attempt that failed
    plan.captured.form = form;
    if (form.in_parts) plan.captured.begin = capture(stream, [&] { launch_first(plan, stream, form); });
    plan.captured.finish = capture(stream, [&] { launch_second(zones, form); });
  });
}

template <class Launches>
yoke::graph_handle solver_launches::capture(yoke::stream_handle stream, const Launches& launches) {
  unit_.dev->begin_capture(stream);
  try {
    launches();
  } catch (...) {
    unit_.dev->destroy_graph(unit_.dev->end_capture(stream));
    throw;
  }
  return unit_.dev->end_capture(stream);
}

void solver_launches::replay(yoke::graph_handle graph, yoke::stream_handle stream, step_run& step) {
  unit_.dev->replay(graph, stream);
  ++step.account().replays;
}

void solver_launches::begin(const device_plan& plan, yoke::stream_handle stream, step_form form,
                            step_run& step) {
  if (!form.in_parts) return;
  if (plan.is_captured_as(form))
    replay(plan.captured.begin, stream, step);
  else
    launch_first(plan, stream, form);
}

void solver_launches::finish(const device_plan& plan, yoke::stream_handle stream, step_form form,
                             step_run& step) {
  if (plan.is_captured_as(form))
    replay(plan.captured.finish, stream, step);
  else
    launch_second(zones_of(plan, stream, form), form);
}

void solver_launches::launch_first(const device_plan& plan, yoke::stream_handle stream, step_form form) {
  const std::size_t first = plan.begun_elsewhere();
  if (first == plan.shapes().size()) return;
  zones_on_device zones = zones_of(plan, stream, form);
  zones.table = zones.table + static_cast<std::ptrdiff_t>(first);
  zones.shapes = zones.shapes.subspan(first);
  solver_->begin(zones);
}

void solver_launches::launch_second(const zones_on_device& zones, step_form form) {
  if (form.in_parts)
    solver_->finish(zones);
  else
    solver_->advance(zones);
}

}  // namespace npb
