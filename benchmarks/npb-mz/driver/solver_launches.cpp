#include "solver_launches.hpp"

namespace npb {

void solver_launches::capture_if_due(device_plan& plan, yoke::stream_handle stream, bool sending,
                                     unit_account& account) {
  if (!shared_.graphs || plan.uses++ == 0 || plan.graph.native != nullptr) return;
  off_the_clock(shared_, unit_.id, "lay out", account.preparing, [&] {
    unit_.dev->begin_capture(stream);
    try {
      solver_->finish(zones_of(plan, stream, sending));
    } catch (...) {
      unit_.dev->destroy_graph(unit_.dev->end_capture(stream));
      throw;
    }
    plan.graph = unit_.dev->end_capture(stream);
    plan.graph_sends = sending;
  });
}

void solver_launches::begin(const device_plan& plan, yoke::stream_handle stream, bool sending) {
  solver_->begin(zones_of(plan, stream, sending));
}

void solver_launches::finish(const device_plan& plan, yoke::stream_handle stream, bool sending,
                             unit_account& account) {
  if (plan.graph.native == nullptr || plan.graph_sends != sending)
    return solver_->finish(zones_of(plan, stream, sending));
  unit_.dev->replay(plan.graph, stream);
  ++account.replays;
}

}  // namespace npb
