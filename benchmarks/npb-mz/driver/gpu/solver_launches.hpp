#pragma once
/// The solver's launches for the zones of a plan, replayed as graphs where they come again.

#include "device_plan.hpp"
#include "driver/step/step_run.hpp"

#include <memory>

#include <yoke/compute_units.hpp>

namespace npb {

/// All launches are asynchronous.
class solver_launches {
 public:
  solver_launches(const stepping& shared, const yoke::compute_unit& unit)
      : shared_{shared}, unit_{unit}, solver_{shared.what.make_device_solver()} {}

  const device_solver& solver() const { return *solver_; }

  /// Makes the graphs of a step when the plan comes for the second time.
  void capture_if_due(device_plan& plan, yoke::stream_handle stream, step_form form, step_run& step);
  /// The first part of a step that is in two, of the zones that no other plan begins.
  void begin(const device_plan& plan, yoke::stream_handle stream, step_form form, step_run& step);
  /// The second, or all of a step that is not.
  void finish(const device_plan& plan, yoke::stream_handle stream, step_form form, step_run& step);

 private:
  zones_on_device zones_of(const device_plan& plan, yoke::stream_handle stream, step_form form) const {
    return {*unit_.dev, stream, plan.zones(form.sends), plan.shapes()};
  }
  void launch_first(const device_plan& plan, yoke::stream_handle stream, step_form form);
  void launch_second(const zones_on_device& zones, step_form form);
  template <class Launches>
  yoke::graph_handle capture(yoke::stream_handle stream, const Launches& launches);
  void replay(yoke::graph_handle graph, yoke::stream_handle stream, step_run& step);

  const stepping& shared_;
  const yoke::compute_unit& unit_;
  std::unique_ptr<device_solver> solver_;
};

}  // namespace npb
