#pragma once
/// The part of a GPU CU's step that exchanges faces with others: the zones of a share that have neighbours
/// elsewhere, or all of a batch that is no share.

#include "peer_order.hpp"

#include <span>

#include <yoke/ids.hpp>

namespace npb {

/// Where a host has to see the faces of some neighbour; else whole_share.hpp.
class border_zones {
 public:
  explicit border_zones(device_work& work);

  /// Whether they may run: neighbours are published, or their faces are on their way from other devices.
  bool are_ready(moment at) const;
  /// Waits until they are ready, brings in what is elsewhere, one message from each other space, one launch
  /// to unpack, the solver's launches, one to pack, one message back, one copy to each device that takes
  /// faces directly.
  void start(step_run& step);
  /// Of a step that is started: waits until it is over, then publishes, while inner zones may still run.
  void end(step_run& step);
  /// Sends for the faces of the next step as soon as these are there. Gives up when `is_enough()`.
  template <class IsEnough>
  void fetch_ahead(step_run& step, const IsEnough& is_enough);

  /// What the device spent on faces; `with_leaving`: also on messages out.
  yoke::seconds take_exchange(bool with_leaving);
  /// How long the device had nothing to do but to wait for other devices; `inner`: the end of the inner
  /// zones' step, where there are some.
  yoke::seconds take_waiting(const stream_mark* inner);
  /// The step of one zone that nobody else uses; what it leaves there is of no use.
  void rehearse(yoke::task_id zone, step_run& step);

 private:
  void wait_for_neighbours(step_run& step);
  batch_plan& prepare(step_run& step);
  void launch(const batch_plan& plan, step_run& step);
  void advance(const batch_plan& plan, step_run& step);
  void fetch(batch_plan& plan, moment at);
  void fetch_next(moment at);
  void receive(const batch_plan& plan, moment at);
  void send(const batch_plan& plan);
  template <class Work>
  void exchange_on_host(step_run& step, const Work& work);

  device_work& work_;
  peer_order peers_;
  const batch_plan* plan_ = nullptr;            ///< of the step that is under way
  stream_watch receiving_, sending_, leaving_;  ///< faces unpacked, packed, on their way out
  stream_watch waiting_;                        ///< for faces of other devices
};

template <class IsEnough>
void border_zones::fetch_ahead(step_run& step, const IsEnough& is_enough) {
  if (step.is_last() || work_.parts.beyond.empty()) return;
  const stopwatch watch = step.advancing();
  bool are_there = false;
  work_.shared.order.wait_until([&] {
    are_there = peers_.have_faces(step.next());
    return are_there || is_enough();
  });
  if (are_there) fetch_next(step.next());
}

}  // namespace npb
