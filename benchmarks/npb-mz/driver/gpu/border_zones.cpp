#include "border_zones.hpp"

#include "bring_zones.hpp"

namespace npb {

border_zones::border_zones(device_work& work)
    : work_{work}, receiving_{*work.unit.dev}, sending_{*work.unit.dev}, leaving_{*work.unit.dev} {}

void border_zones::run(step_run& step) {
  if (work_.parts.border.empty()) return;
  const batch_plan& plan = start(step);
  {
    const stopwatch watch = step.advancing();
    synchronize();
  }
  exchange_on_host(step, [&] { plan.deliver(work_.shared, step.next()); });
  step.publish(work_.parts.border, work_.unit.space);
}

const batch_plan& border_zones::start(step_run& step) {
  step.wait_for(work_.parts.border);
  bring_zones(work_.parts.border, work_.shared, work_.unit, work_.plans, step);
  batch_plan& plan = prepare(step);
  if (!work_.parts.is_share) work_.ahead.follow(work_.unit.stream);
  if (!plan.is_fetched(step.now())) {
    exchange_on_host(step, [&] { plan.gather(); });
    fetch(plan, step.now());
  }
  advance(plan, step);
  send(plan);
  step.account().bytes_in += plan.bytes_in();
  step.account().bytes_out += plan.bytes_out();
  return plan;
}

/// Everything that a later step with the same batch need not do again: the plan and its graph.
batch_plan& border_zones::prepare(step_run& step) {
  batch_plan* plan = nullptr;
  step.lay_out([&] { plan = &work_.plans.get(work_.parts.border, step.now(), work_.parts.is_share); });
  work_.capture_if_due(*plan, work_.ahead.handle(), step);
  return *plan;
}

/// Faces come in before what reads them.
void border_zones::advance(const batch_plan& plan, step_run& step) {
  const stopwatch watch = step.advancing();
  const yoke::stream_handle stream = work_.ahead.handle();
  const step_form form = work_.form_of(step);
  const bool begins_first = form.in_parts && work_.solver.begins_before_faces();
  if (begins_first) work_.launches.begin(plan, stream, form, step);
  if (form.in_parts) work_.beside.lead(stream);
  receive(plan);
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

void border_zones::receive(const batch_plan& plan) {
  const yoke::stream_handle stream = work_.ahead.handle();
  receiving_.start(stream);
  if (plan.bytes_in() > 0) work_.ahead.follow(work_.lane.handle());
  plan.enqueue_unpacking(stream);
  receiving_.stop(stream);
}

void border_zones::send(const batch_plan& plan) {
  sending_.start(work_.ahead.handle());
  plan.enqueue_packing(work_.ahead.handle());
  sending_.stop(work_.ahead.handle());
  if (plan.bytes_out() == 0) return;
  work_.lane.follow(work_.ahead.handle());
  leaving_.start(work_.lane.handle());
  plan.enqueue_message_out(work_.lane.handle());
  leaving_.stop(work_.lane.handle());
}

void border_zones::synchronize() {
  work_.ahead.synchronize();
  work_.lane.synchronize();
}

yoke::seconds border_zones::take_exchange(bool with_leaving) {
  const yoke::seconds leaving = leaving_.take();
  return receiving_.take() + sending_.take() + (with_leaving ? leaving : 0);
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
  receive(plan);
  work_.launches.finish(plan, work_.ahead.handle(), {}, step);
  send(plan);
  synchronize();
}

}  // namespace npb
