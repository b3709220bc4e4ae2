#pragma once
/// The part of a GPU CU's step that exchanges faces with others: the zones of a share that have neighbours
/// elsewhere, or all of a batch that is no share.

#include "device_work.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include <yoke/ids.hpp>

namespace npb {

class border_zones {
 public:
  explicit border_zones(device_work& work);

  /// Waits for them, brings in what is elsewhere, one message from each other space, one launch to unpack,
  /// the solver's launches, one to pack, one message back; then publishes, while inner zones may still run.
  void run(step_run& step);
  /// Sends for the faces of the next step as soon as they are there. Gives up when `is_enough()`.
  template <class IsEnough>
  void fetch_ahead(step_run& step, const IsEnough& is_enough);
  /// What the device spent on faces; `with_leaving`: also on messages out.
  yoke::seconds take_exchange(bool with_leaving);
  /// The step of one zone that nobody else uses; what it leaves there is of no use.
  void rehearse(yoke::task_id zone, step_run& step);

 private:
  const batch_plan& start(step_run& step);
  batch_plan& prepare(step_run& step);
  void advance(const batch_plan& plan, step_run& step);
  void fetch(batch_plan& plan, moment at);
  void fetch_next(moment at);
  void receive(const batch_plan& plan);
  void send(const batch_plan& plan);
  void synchronize();
  template <class Work>
  void exchange_on_host(step_run& step, const Work& work);

  device_work& work_;
  stream_watch receiving_, sending_, leaving_;  ///< faces unpacked, packed, on their way out
};

template <class IsEnough>
void border_zones::fetch_ahead(step_run& step, const IsEnough& is_enough) {
  const std::vector<yoke::task_id>& beyond = work_.parts.beyond;
  if (beyond.empty() || step.is_last()) return;
  const stopwatch watch = step.advancing();
  const publication& order = work_.shared.order;
  bool are_there = false;
  order.wait_until([&] {
    are_there =
        std::ranges::all_of(beyond, [&](int zone) { return order.is_published(zone, step.number() + 1); });
    return are_there || is_enough();
  });
  if (are_there) fetch_next(step.next());
}

}  // namespace npb
