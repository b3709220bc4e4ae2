#pragma once
/// The part of a GPU CU's step that exchanges faces with others: the zones of a share that have neighbours
/// elsewhere, or all of a batch that is no share.

#include "border_step.hpp"
#include "device_work.hpp"

#include <array>
#include <span>
#include <vector>

#include <yoke/ids.hpp>

namespace npb {

/// Where all neighbours elsewhere are on other devices that give their faces directly, and the map is fixed,
/// the next step is set going before this one is over: then devices wait for each other, and for no host.
class border_zones {
 public:
  explicit border_zones(device_work& work);

  /// Whether they may run: neighbours are published, or their faces are on their way from other devices.
  bool are_ready(moment at) const;
  /// Unless they are started: waits until they are ready, brings in what is elsewhere, one message from each
  /// other space, one launch to unpack, the solver's launches, one to pack, one message back, one copy to
  /// each device that takes faces directly.
  void start(step_run& step);
  bool are_started(moment at) const { return step_of(at).at == at; }
  /// Whether the next step may begin before this one is over.
  bool may_go_on(const step_run& step) const;
  /// Sets the next step going where it may be, or sends for its faces, as soon as these are there or on their
  /// way. Gives up when `is_enough()`.
  template <class IsEnough>
  void go_on(step_run& step, const IsEnough& is_enough);
  /// Whether the device has done the step.
  bool is_over(const step_run& step) const { return gone(step.next()).is_passed(); }
  /// Of a step that is started: waits until it is over, then publishes, while inner zones may still run.
  void end(step_run& step);

  /// What the device spent on faces; `with_leaving`: also on messages out.
  yoke::seconds take_exchange(moment at, bool with_leaving);
  /// How long the device had nothing to do but to wait for other devices; `inner`: the end of the inner
  /// zones' step, where there are some.
  yoke::seconds take_waiting(moment at, const stream_mark* inner);
  /// The step of one zone that nobody else uses; what it leaves there is of no use.
  void rehearse(yoke::task_id zone, step_run& step);

 private:
  border_step& step_of(moment at) { return steps_[static_cast<std::size_t>(at.parity())]; }
  const border_step& step_of(moment at) const { return steps_[static_cast<std::size_t>(at.parity())]; }
  const stream_mark& gone(moment next) const { return gone_[static_cast<std::size_t>(next.parity())]; }
  bool have_neighbours_faces(moment at) const;
  void wait_for_neighbours(step_run& step);
  batch_plan& prepare(step_run& step);
  void launch(const batch_plan& plan, step_run& step);
  void advance(const batch_plan& plan, step_run& step);
  void fetch(batch_plan& plan, moment at);
  void fetch_next(moment at);
  void launch_next(step_run& step);
  void receive(const batch_plan& plan, border_step& at);
  void wait_for_peers(border_step& at);
  void send(const batch_plan& plan, border_step& at);
  void depart(const batch_plan& plan, step_run& step);
  void synchronize(const step_run& step);
  template <class Work>
  void exchange_on_host(step_run& step, const Work& work);

  device_work& work_;
  std::array<border_step, 2> steps_;  ///< by parity
  std::array<stream_mark, 2> gone_;   ///< behind the copies to other devices, by parity of the next moment
};

template <class IsEnough>
void border_zones::go_on(step_run& step, const IsEnough& is_enough) {
  const bool goes_on = may_go_on(step);
  if (step.is_last() || (!goes_on && work_.parts.beyond.empty())) return;
  bool are_there = false;
  {
    const stopwatch watch = step.advancing();
    work_.shared.order.wait_until([&] {
      are_there = have_neighbours_faces(step.next());
      return are_there || is_enough();
    });
    if (are_there && !goes_on) fetch_next(step.next());
  }
  if (are_there && goes_on) launch_next(step);  // which counts with the next step
}

}  // namespace npb
