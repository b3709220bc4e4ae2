#pragma once
/// The solver's launches for the zones of a plan, replayed as a graph where they come again.

#include "device_plan.hpp"
#include "stepping.hpp"

#include <memory>

#include <yoke/compute_units.hpp>

namespace npb {

/// `sending`: the solver gives faces to those who take them (device_plan::zones). All launches are
/// asynchronous.
class solver_launches {
 public:
  solver_launches(const stepping& shared, const yoke::compute_unit& unit)
      : shared_{shared}, unit_{unit}, solver_{shared.what.make_device_solver()} {}

  const device_solver& solver() const { return *solver_; }

  /// Makes the graph of `finish` when the plan comes for the second time.
  void capture_if_due(device_plan& plan, yoke::stream_handle stream, bool sending, unit_account& account);
  /// The two parts of a step (device_solver).
  void begin(const device_plan& plan, yoke::stream_handle stream, bool sending);
  void finish(const device_plan& plan, yoke::stream_handle stream, bool sending, unit_account& account);

 private:
  zones_on_device zones_of(const device_plan& plan, yoke::stream_handle stream, bool sending) const {
    return {*unit_.dev, stream, plan.zones(sending), plan.shapes()};
  }

  const stepping& shared_;
  const yoke::compute_unit& unit_;
  std::unique_ptr<device_solver> solver_;
};

}  // namespace npb
