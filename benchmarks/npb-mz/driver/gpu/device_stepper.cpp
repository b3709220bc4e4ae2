#include "device_stepper.hpp"

#include "bring_zones.hpp"

#include <algorithm>
#include <utility>

namespace npb {

device_stepper::device_stepper(const stepping& shared, const yoke::compute_unit& unit)
    : work_{shared, unit},
      hostless_{work_},
      border_{work_},
      works_on_it_{[this] { return is_at_work(running_); }} {}

void device_stepper::run(std::span<const yoke::task_id> batch, step_run& step) {
  look_at(batch);
  or_abandon([&] { run_parts(step); });
  is_busy_ = hostless_.is_begun(step.next());
}

template <class Work>
void device_stepper::or_abandon(const Work& work) {
  is_busy_ = true;
  try {
    work();
  } catch (...) {
    abandon();
    throw;
  }
}

void device_stepper::abandon() noexcept {
  if (std::exchange(is_busy_, false)) work_.abandon();
}

void device_stepper::look_at(std::span<const yoke::task_id> batch) {
  const face_store& faces = work_.shared.faces;
  if (work_.parts.routes != faces.routes() || !std::ranges::equal(batch, work_.parts.batch))
    work_.parts = split_batch(batch, faces, work_.unit.id, work_.shared.exchange);
}

void device_stepper::run_parts(step_run& step) {
  running_ = step.now();
  step.set_at_work(works_on_it_);
  border_.renew();
  if (work_.parts.is_share) hostless_.begin(step);
  set_going(step);
  if (work_.parts.is_share) hostless_.leave_faces(step);
  begin_next(step);
  finish(step);
  note_waiting(step);
  note_exchange(step);
  work_.plans.finish(step.now());
  step.publish(work_.parts.hostless, work_.unit.space);
}

/// The border's step from its beginning to its publication, and the second part of the others, each as soon
/// as it may go on: CPUs may be late, and so may other devices.
void device_stepper::set_going(step_run& step) {
  while (border_.are_left() || others_are_left(step.now())) {
    wait_to_go_on(step);
    if (may_complete_others(step.now()))
      hostless_.complete(step);
    else if (border_.are_under_way())
      border_.end(step);
    else
      border_.start(step);
    announce_if_due(step);
  }
}

bool device_stepper::may_move_border(moment at) const {
  return border_.are_left() && (border_.are_under_way() ? border_.are_done() : border_.are_ready(at));
}

bool device_stepper::may_complete_others(moment at) const {
  return others_are_left(at) && hostless_.may_be_completed(at);
}

bool device_stepper::is_at_work(moment at) const {
  const bool is_in_border = border_.are_under_way() && !border_.are_done();
  return is_in_border || (work_.parts.is_share && hostless_.are_at_work(at));
}

/// While the device is at work, waiting is no waste: it counts as time of the batch.
void device_stepper::wait_to_go_on(step_run& step) {
  const auto may_go_on = [&] { return may_complete_others(step.now()) || may_move_border(step.now()); };
  if (may_go_on()) return;
  if (is_at_work(step.now())) {
    const stopwatch watch = step.advancing();
    work_.shared.order.wait_until([&] { return may_go_on() || !is_at_work(step.now()); });
  }
  if (may_go_on()) return;
  if (others_are_left(step.now())) return step.wait_until(may_go_on);
  border_.wait_until_ready(step);
}

/// As soon as both have told the device what they give to others.
void device_stepper::announce_if_due(step_run& step) {
  const bool is_due =
      !work_.parts.border.peers.empty() && border_.are_launched() && hostless_.is_complete(step.now());
  if (is_due && !hostless_.is_announced(step.next())) hostless_.announce(step);
}

/// What can be of the next step while this one runs: the device need not wait while the host finishes it.
void device_stepper::begin_next(step_run& step) {
  step_run next = step.following();
  bool completes = hostless_.may_go_on(step), fetches = !step.is_last() && !work_.parts.beyond.empty();
  if (completes) hostless_.begin(next);
  const auto may_complete = [&] { return completes && hostless_.may_be_completed(step.next()); };
  const auto may_fetch = [&] { return fetches && border_.may_fetch(step.next()); };
  while (completes || fetches) {
    {
      const stopwatch watch = step.advancing();
      work_.shared.order.wait_until([&] { return may_complete() || may_fetch() || hostless_.is_over(step); });
    }
    if (may_complete()) {
      completes = false;
      if (!hostless_.is_laid_out(step.next())) continue;
      hostless_.complete(next);
      if (!work_.parts.seam.zones.empty()) ++step.account().steps_ahead;
    } else if (may_fetch()) {
      fetches = false;
      const stopwatch watch = step.advancing();
      border_.fetch(step.next());
    } else {
      return;
    }
  }
}

void device_stepper::finish(step_run& step) {
  const stopwatch watch = step.advancing();
  hostless_.finish(step);
  if (!work_.parts.beyond.empty()) work_.lane.synchronize();
}

/// A device that waits for another one is not slow.
void device_stepper::note_waiting(step_run& step) {
  if (!work_.parts.has_peers()) return;
  yoke::seconds waited = hostless_.take_waiting(step);
  if (!work_.parts.border.peers.empty())
    waited += border_.take_waiting(work_.parts.hostless.empty() ? nullptr : &hostless_.end(step.now()));
  step.exclude(step.count_otherwise(waited, step.account().waiting));
}

/// What the device spent on faces was counted with the solver's time. A message out costs nothing where
/// others run meanwhile.
void device_stepper::note_exchange(step_run& step) {
  yoke::seconds spent = hostless_.take_exchange(step);
  if (!work_.parts.border.zones.empty()) spent += border_.take_exchange(work_.parts.hostless.empty());
  const yoke::ticks ticks = step.count_otherwise(spent, step.exchange());
  if (!work_.parts.is_share) step.exclude(ticks);  // as on the host
}

void device_stepper::rehearse(yoke::task_id zone, step_run& step) {
  bring_zones({&zone, 1}, work_.shared, work_.unit, work_.plans, step);
  or_abandon([&] { border_.rehearse(zone, step); });
  is_busy_ = false;
}

}  // namespace npb
