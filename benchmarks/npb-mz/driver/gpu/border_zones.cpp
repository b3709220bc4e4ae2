#include "border_zones.hpp"

#include "bring_zones.hpp"

#include <algorithm>

namespace npb {

border_zones::border_zones(device_work& work)
    : work_{work},
      steps_{border_step{*work.unit.dev}, border_step{*work.unit.dev}},
      gone_{stream_mark{*work.unit.dev}, stream_mark{*work.unit.dev}} {}

/// Of a share, whose own zones are through with the step before: they are there, or under way to here.
bool border_zones::have_neighbours_faces(moment at) const {
  const publication& order = work_.shared.order;
  const auto is_published = [&](int zone) { return order.is_published(zone, at.step); };
  const auto has_left = [&](const peer& other) {
    return work_.shared.departed.is_announced(other.unit, at) ||
           std::ranges::all_of(other.zones, is_published);
  };
  return std::ranges::all_of(work_.parts.beyond, is_published) &&
         std::ranges::all_of(work_.parts.peers, has_left);
}

bool border_zones::are_ready(moment at) const {
  if (work_.parts.is_share && work_.shared.exchange == exchange_mode::dataflow)
    return have_neighbours_faces(at);
  return npb::are_ready(work_.shared, work_.parts.border, at.step);
}

void border_zones::wait_for_neighbours(step_run& step) {
  if (!work_.parts.is_share || work_.shared.exchange == exchange_mode::barrier)
    return step.wait_for(work_.parts.border);
  for (const yoke::task_id zone : work_.parts.beyond) step.wait_for_zone(zone);
  step.wait_until([&] { return have_neighbours_faces(step.now()); });
}

void border_zones::start(step_run& step) {
  if (work_.parts.border.empty() || are_started(step.now())) return;
  wait_for_neighbours(step);
  bring_zones(work_.parts.border, work_.shared, work_.unit, work_.plans, step);
  batch_plan& plan = prepare(step);
  if (!work_.parts.is_share) work_.ahead.follow(work_.unit.stream);
  if (!plan.is_fetched(step.now())) {
    exchange_on_host(step, [&] { plan.gather(); });
    fetch(plan, step.now());
  }
  launch(plan, step);
}

/// Everything that a later step with the same batch need not do again: the plan and its graph.
batch_plan& border_zones::prepare(step_run& step) {
  batch_plan* plan = nullptr;
  step.lay_out([&] { plan = &work_.plans.get(work_.parts.border, step.now(), work_.parts.is_share); });
  work_.capture_if_due(*plan, work_.ahead.handle(), step);
  return *plan;
}

void border_zones::launch(const batch_plan& plan, step_run& step) {
  border_step& at = step_of(step.now());
  at.at = step.now();
  at.plan = &plan;
  advance(plan, step);
  const stopwatch watch = step.advancing();
  send(plan, at);
  depart(plan, step);
  step.account().bytes_in += plan.bytes_in();
  step.account().bytes_out += plan.bytes_out();
  for (const face_run& copy : plan.copies_to_peers()) step.account().count_direct(copy.space, copy.bytes);
}

bool border_zones::may_go_on(const step_run& step) const {
  return work_.parts.is_share && !work_.parts.peers.empty() && work_.parts.beyond.empty() &&
         work_.shared.is_fixed && !step.is_last() && work_.shared.exchange == exchange_mode::dataflow;
}

/// Not before there is a plan: laying one out might move what the present step uses.
void border_zones::launch_next(step_run& step) {
  batch_plan* const plan = work_.plans.find(work_.parts.border, step.next(), true);
  if (plan == nullptr) return;
  step_run next = step.following();
  work_.capture_if_due(*plan, work_.ahead.handle(), next);
  launch(*plan, next);
  ++step.account().steps_ahead;
}

/// Faces come in before what reads them.
void border_zones::advance(const batch_plan& plan, step_run& step) {
  const stopwatch watch = step.advancing();
  const yoke::stream_handle stream = work_.ahead.handle();
  const step_form form = work_.form_of(step);
  const bool begins_first = form.in_parts && work_.solver.begins_before_faces();
  if (begins_first) work_.launches.begin(plan, stream, form, step);
  if (form.in_parts) work_.beside.lead(stream);
  receive(plan, step_of(step.now()));
  if (!begins_first) work_.launches.begin(plan, stream, form, step);
  work_.launches.finish(plan, stream, form, step);
}

/// Requires what gather() does.
void border_zones::fetch(batch_plan& plan, moment at) {
  if (plan.bytes_in() == 0) return;
  plan.enqueue_messages_in(work_.lane.handle());
  plan.set_fetched(at);
}

void border_zones::fetch_next(moment at) {
  batch_plan* const next = work_.plans.find(work_.parts.border, at, true);
  if (next == nullptr) return;
  next->gather();
  fetch(*next, at);
}

void border_zones::receive(const batch_plan& plan, border_step& at) {
  const yoke::stream_handle stream = work_.ahead.handle();
  wait_for_peers(at);
  at.receiving.start(stream);
  if (plan.bytes_in() > 0) work_.ahead.follow(work_.lane.handle());
  plan.enqueue_unpacking(stream);
  at.receiving.stop(stream);
}

/// Those of whom nothing is announced have been waited for by the host.
void border_zones::wait_for_peers(border_step& at) {
  if (work_.parts.peers.empty()) return;
  const yoke::stream_handle stream = work_.ahead.handle();
  at.waiting.start(stream);
  for (const peer& other : work_.parts.peers)
    if (work_.shared.departed.is_announced(other.unit, at.at))
      work_.unit.dev->wait(stream, work_.shared.departed.event_of(other.unit, at.at));
  at.waiting.stop(stream);
}

void border_zones::send(const batch_plan& plan, border_step& at) {
  const yoke::stream_handle stream = work_.ahead.handle();
  at.sending.start(stream);
  plan.enqueue_packing(stream);
  plan.enqueue_to_peers(stream);
  at.sending.stop(stream);
  if (plan.bytes_out() == 0) return;
  work_.lane.follow(stream);
  at.leaving.start(work_.lane.handle());
  plan.enqueue_message_out(work_.lane.handle());
  at.leaving.stop(work_.lane.handle());
}

/// From here on other devices may be told to wait for what this one has been told to do.
void border_zones::depart(const batch_plan& plan, step_run& step) {
  plan.note_departure(work_.shared, step.next());
  if (work_.parts.peers.empty()) return;
  stream_mark& mark = gone_[static_cast<std::size_t>(step.next().parity())];
  mark.set(work_.ahead.handle());
  work_.shared.departed.announce(work_.unit.id, step.next(), mark.event());
}

void border_zones::end(step_run& step) {
  if (work_.parts.border.empty() || !are_started(step.now())) return;
  const batch_plan& plan = *step_of(step.now()).plan;
  {
    const stopwatch watch = step.advancing();
    synchronize(step);
  }
  exchange_on_host(step, [&] { plan.deliver(work_.shared, step.next()); });
  step_of(step.now()).at = {};
  step.publish(work_.parts.border, work_.unit.space);
}

/// Not for what is under way of the next step. It ends where another CU has failed, too: this device waits
/// for what others were told to do before that was announced, and a stream that has failed lets events
/// happen.
void border_zones::synchronize(const step_run& step) {
  if (are_started(step.next()))
    gone(step.next()).wait();
  else
    work_.ahead.synchronize();
  work_.lane.synchronize();
}

yoke::seconds border_zones::take_exchange(moment at, bool with_leaving) {
  border_step& of = step_of(at);
  const yoke::seconds leaving = of.leaving.take();
  return of.receiving.take() + of.sending.take() + (with_leaving ? leaving : 0);
}

yoke::seconds border_zones::take_waiting(moment at, const stream_mark* inner) {
  stream_watch& waiting = step_of(at).waiting;
  return inner == nullptr ? waiting.take() : waiting.take_behind(*inner);
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
  border_step& at = step_of(step.now());
  receive(plan, at);
  work_.launches.finish(plan, work_.ahead.handle(), {}, step);
  send(plan, at);
  work_.ahead.synchronize();
  work_.lane.synchronize();
}

}  // namespace npb
