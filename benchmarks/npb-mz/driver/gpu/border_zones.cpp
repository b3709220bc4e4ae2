#include "border_zones.hpp"

#include "bring_zones.hpp"

#include <algorithm>

namespace npb {

border_zones::border_zones(device_work& work)
    : work_{work},
      peers_{work},
      receiving_{*work.unit.dev},
      sending_{*work.unit.dev},
      leaving_{*work.unit.dev},
      waiting_{*work.unit.dev},
      done_{*work.unit.dev} {}

bool border_zones::are_ready(moment at) const {
  const batch_parts& parts = work_.parts;
  if (!parts.is_share || work_.shared.exchange == exchange_mode::barrier)
    return npb::are_ready(work_.shared, parts.border.zones, at.step);
  return are_published(parts.beyond, at) && peers_.have_faces(parts.border.peers, at);
}

bool border_zones::are_published(std::span<const yoke::task_id> zones, moment at) const {
  return std::ranges::all_of(zones, [&](int zone) { return work_.shared.order.is_published(zone, at.step); });
}

void border_zones::wait_until_ready(step_run& step) {
  if (!work_.parts.is_share || work_.shared.exchange == exchange_mode::barrier)
    return step.wait_for(work_.parts.border.zones);
  for (const yoke::task_id zone : work_.parts.beyond) step.wait_for_zone(zone);
  step.wait_until([&] { return are_ready(step.now()); });
}

void border_zones::start(step_run& step) {
  bring_zones(work_.parts.border.zones, work_.shared, work_.unit, work_.plans, step);
  batch_plan& plan = prepare(step);
  if (!work_.parts.is_share) work_.ahead.follow(work_.unit.stream);
  if (!plan.is_fetched(step.now())) {
    exchange_on_host(step, [&] { plan.gather(); });
    fetch(plan, step.now());
  }
  launch(plan, step);
  state_ = state::under_way;
}

/// Everything that a later step with the same batch need not do again: the plan and its graph.
batch_plan& border_zones::prepare(step_run& step) {
  batch_plan* plan = nullptr;
  step.lay_out([&] { plan = &work_.plans.get(work_.parts.border.zones, step.now(), work_.parts.is_share); });
  work_.capture_if_due(*plan, work_.ahead.handle(), step);
  return *plan;
}

void border_zones::launch(batch_plan& plan, step_run& step) {
  plan_ = &plan;
  plan.under_way = step.now();
  advance(plan, step);
  const stopwatch watch = step.advancing();
  send(plan);
  plan.note_departure(work_.shared, step.next());
  step.account().bytes_in += plan.bytes_in();
  step.account().bytes_out += plan.bytes_out();
  for (const face_run& copy : plan.copies_to_peers()) step.account().count_direct(copy.space, copy.bytes);
}

/// Faces come in before what reads them.
void border_zones::advance(const batch_plan& plan, step_run& step) {
  const stopwatch watch = step.advancing();
  const yoke::stream_handle stream = work_.ahead.handle();
  const step_form form = work_.form_of(step);
  const bool begins_first = form.in_parts && work_.solver.begins_before_faces();
  if (begins_first) work_.launches.begin(plan, stream, form, step);
  if (form.in_parts) work_.beside.lead(stream);
  receive(plan, step.now());
  if (!begins_first) work_.launches.begin(plan, stream, form, step);
  work_.launches.finish(plan, stream, form, step);
}

/// Requires what gather() does.
void border_zones::fetch(batch_plan& plan, moment at) {
  if (plan.bytes_in() == 0) return;
  plan.enqueue_messages_in(work_.lane.handle());
  plan.set_fetched(at);
}

bool border_zones::may_fetch(moment next) const {
  return are_published(work_.parts.beyond, next) && peers_.have_faces(work_.parts.border.peers, next);
}

void border_zones::fetch(moment next) {
  batch_plan* const plan = work_.plans.find(work_.parts.border.zones, next, true);
  if (plan == nullptr) return;
  plan->gather();
  fetch(*plan, next);
}

void border_zones::receive(const batch_plan& plan, moment at) {
  const yoke::stream_handle stream = work_.ahead.handle();
  if (!work_.parts.border.peers.empty()) {
    waiting_.start(stream);
    peers_.hold_up(stream, work_.parts.border.peers, at);
    waiting_.stop(stream);
  }
  receiving_.start(stream);
  if (plan.bytes_in() > 0) work_.ahead.follow(work_.lane.handle());
  plan.enqueue_unpacking(stream);
  receiving_.stop(stream);
}

void border_zones::send(const batch_plan& plan) {
  const yoke::stream_handle stream = work_.ahead.handle();
  sending_.start(stream);
  plan.enqueue_packing(stream);
  plan.enqueue_to_peers(stream);
  sending_.stop(stream);
  if (plan.bytes_out() == 0) return done_.set(stream);
  work_.lane.follow(stream);
  leaving_.start(work_.lane.handle());
  plan.enqueue_message_out(work_.lane.handle());
  leaving_.stop(work_.lane.handle());
  done_.set(work_.lane.handle());
}

void border_zones::end(step_run& step) {
  {
    const stopwatch watch = step.advancing();
    work_.ahead.synchronize();
    work_.lane.synchronize();
  }
  exchange_on_host(step, [&] { plan_->deliver(work_.shared, step.next()); });
  step.publish(work_.parts.border.zones, work_.unit.space);
  state_ = state::ended;
}

yoke::seconds border_zones::take_exchange(bool with_leaving) {
  const yoke::seconds leaving = leaving_.take();
  return receiving_.take() + sending_.take() + (with_leaving ? leaving : 0);
}

yoke::seconds border_zones::take_waiting(const stream_mark* others) {
  return others == nullptr ? waiting_.take() : waiting_.take_behind(*others);
}

/// While the map is open every face goes through host memory one by one, and between pieces of a share it is
/// packed and unpacked. A share in one piece needs next to nothing of that, so it must not count as the speed
/// of the device.
template <class Work>
void border_zones::exchange_on_host(step_run& step, const Work& work) {
  if (!work_.parts.is_share) return step.off_the_clock("exchange", step.exchange(), work);
  const stopwatch watch = step.exchanging();
  work();
}

void border_zones::rehearse(yoke::task_id zone, step_run& step) {
  batch_plan& plan = work_.plans.get({&zone, 1}, step.now(), false);
  plan.gather();
  fetch(plan, step.now());
  work_.ahead.follow(work_.unit.stream);
  receive(plan, step.now());
  work_.launches.finish(plan, work_.ahead.handle(), {}, step);
  send(plan);
  work_.ahead.synchronize();
  work_.lane.synchronize();
}

}  // namespace npb
