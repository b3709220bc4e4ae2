#pragma once
/// The part of a GPU CU's step for which hosts wait: the zones of a share of which a host has to see some
/// face, or all of a batch that is no share.

#include "peer_order.hpp"

#include <span>

#include <yoke/ids.hpp>

namespace npb {

class border_zones {
 public:
  explicit border_zones(device_work& work);

  /// Of a batch whose step is to come.
  void renew() { state_ = work_.parts.border.zones.empty() ? state::ended : state::to_come; }
  /// Whether they may run: neighbours are published, or their faces are on their way from other devices.
  bool are_ready(moment at) const;
  /// Off the clock; the thread sleeps where that takes long.
  void wait_until_ready(step_run& step);
  /// Requires that they are ready. Brings in what is elsewhere, one message from each other
  /// space, one launch to unpack, the solver's launches, one to pack, one message back, one copy to each
  /// device that takes faces directly.
  void start(step_run& step);
  bool are_under_way() const { return state_ == state::under_way; }
  bool are_launched() const { return state_ != state::to_come; }
  /// Of a step that is started: whether it is over.
  bool are_done() const { return done_.is_passed(); }
  /// Publishes, while hostless zones may still run.
  void end(step_run& step);
  bool are_left() const { return state_ != state::ended; }
  /// Whether there is something to send for before the next step, and whether it is there.
  bool may_fetch(moment next) const;
  /// Sends for the faces of the next step.
  void fetch(moment next);

  /// What the device spent on faces; `with_leaving`: also on messages out.
  yoke::seconds take_exchange(bool with_leaving);
  /// How long the device had nothing to do but to wait for other devices; `others`: the end of the hostless
  /// zones' step, where there are some.
  yoke::seconds take_waiting(const stream_mark* others);
  /// The step of one zone that nobody else uses; what it leaves there is of no use.
  void rehearse(yoke::task_id zone, step_run& step);

 private:
  bool are_published(std::span<const yoke::task_id> zones, moment at) const;
  batch_plan& prepare(step_run& step);
  void launch(batch_plan& plan, step_run& step);
  void advance(const batch_plan& plan, step_run& step);
  void fetch(batch_plan& plan, moment at);
  void receive(const batch_plan& plan, moment at);
  void send(const batch_plan& plan);
  template <class Work>
  void exchange_on_host(step_run& step, const Work& work);

  device_work& work_;
  peer_order peers_;
  const batch_plan* plan_ = nullptr;            ///< of the step that is under way
  stream_watch receiving_, sending_, leaving_;  ///< faces unpacked, packed, on their way out
  stream_watch waiting_;                        ///< for faces of other devices
  stream_mark done_;                            ///< behind the last message of the step
  enum class state { to_come, under_way, ended } state_ = state::ended;
};

}  // namespace npb
