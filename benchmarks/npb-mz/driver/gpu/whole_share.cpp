#include "whole_share.hpp"

#include "bring_zones.hpp"

namespace npb {

whole_share::times::times(yoke::device& dev)
    : begun{dev, yoke::event_kind::timed}, waiting{dev}, receiving{dev}, sending{dev} {}

whole_share::whole_share(device_work& work)
    : work_{work},
      peers_{work},
      plan_{work.unit},
      times_{times{*work.unit.dev}, times{*work.unit.dev}},
      done_{*work.unit.dev},
      placing_{*work.unit.dev} {}

void whole_share::run(step_run& step) {
  start(step);
  if (may_go_on(step)) go_on(step);
  end(step);
  note_waiting(step);
  note_exchange(step);
  step.publish(work_.parts.batch, work_.unit.space);
}

/// As far as it is not started yet.
void whole_share::start(step_run& step) {
  if (completed_ == step.now()) return;
  work_.shared.order.check();
  if (!is_begun(step.now())) {
    if (!plan_.fits(work_.shared, work_.parts.batch, work_.plans.work_generation())) lay_out(step);
    begin(step);
  }
  await_faces(step);
  complete(border_plan(step), step);
}

void whole_share::lay_out(step_run& step) {
  const batch_parts& parts = work_.parts;
  batch_plans& plans = work_.plans;
  step.wait_for(parts.batch);
  bring_zones(parts.batch, work_.shared, work_.unit, plans, step);
  std::vector<yoke::task_id> zones = parts.border;  // their work memory is that of the border's own plan
  zones.insert(zones.end(), parts.inner.begin(), parts.inner.end());
  step.lay_out([&] {
    plans.reserve_work(zones);  // at once: it must not move in between
    plan_.lay_out(work_.shared, parts.batch, zones, plans.work_behind({}), plans.work_generation(),
                  plans.work_bytes(zones), work_.solver.begins_before_faces() ? 0 : parts.border.size());
  });
}

bool whole_share::may_go_on(const step_run& step) const {
  return work_.shared.is_fixed && !step.is_last() &&
         plan_.fits(work_.shared, work_.parts.batch, work_.plans.work_generation());
}

/// Waits for nobody's faces longer than this step takes. Not all of the next one before there is a plan:
/// laying one out might move what the present step uses.
void whole_share::go_on(step_run& step) {
  step_run next = step.following();
  begin(next);
  bool are_there = false;
  {
    const stopwatch watch = step.advancing();
    work_.shared.order.wait_until([&] {
      are_there = peers_.have_faces(step.next());
      return are_there || peers_.gone(step.next()).is_passed();
    });
  }
  if (!are_there) return;
  const batch_plan* const border = work_.plans.find(work_.parts.border, step.next(), true);
  if (border == nullptr) return;
  complete(*border, next);
  ++step.account().steps_ahead;
}

bool whole_share::has_first_part() const {
  return work_.solver.begins_before_faces() || !work_.parts.inner.empty();
}

/// Needs nobody else, once all zones are here.
void whole_share::begin(step_run& step) {
  const yoke::stream_handle stream = work_.within.handle();
  if (left_ != step.now()) {
    const stopwatch watch = step.advancing();
    place_faces();
  }
  work_.capture_if_due(plan_, stream, step);
  const stopwatch watch = step.advancing();
  work_.launches.begin(plan_, stream, work_.form_of(step), step);
  times_of(step.now()).begun.set(stream);
  begun_ = step.now();
}

/// Faces within the share, which the solver has not sent. Beside a first part that reads no faces; the stream
/// of the exchange is behind the step before.
void whole_share::place_faces() {
  if (!plan_.has_copies()) return;
  if (work_.solver.begins_before_faces()) return plan_.enqueue_copies(work_.ahead.handle());
  placing_.start(work_.within.handle());
  plan_.enqueue_copies(work_.within.handle());
  placing_.stop(work_.within.handle());
  work_.ahead.follow(work_.within.handle());
}

/// While the first part runs, waiting is no waste: it counts as time of the batch.
void whole_share::await_faces(step_run& step) {
  const auto are_there = [&] { return peers_.have_faces(step.now()); };
  if (!are_there() && has_first_part()) {
    const stopwatch watch = step.advancing();
    const stream_mark& begun = times_of(step.now()).begun;
    work_.shared.order.wait_until([&] { return are_there() || begun.is_passed(); });
  }
  step.wait_until(are_there);
}

batch_plan& whole_share::border_plan(step_run& step) {
  batch_plan* plan = nullptr;
  step.lay_out([&] { plan = &work_.plans.get(work_.parts.border, step.now(), true); });
  const stopwatch watch = step.exchanging();
  if (plan->bytes_in() == 0 || plan->is_fetched(step.now())) return *plan;
  plan->gather();  // where the map is new, from where the faces were
  plan->enqueue_messages_in(work_.lane.handle());
  plan->set_fetched(step.now());
  work_.ahead.follow(work_.lane.handle());
  return *plan;
}

void whole_share::complete(const batch_plan& border, step_run& step) {
  const stopwatch watch = step.advancing();
  const step_form form = work_.form_of(step);
  receive(border, step);
  if (plan_.begun_elsewhere() > 0) work_.launches.begin(border, work_.ahead.handle(), form, step);
  work_.ahead.lead(work_.within.handle());
  work_.launches.finish(plan_, work_.within.handle(), form, step);
  done_.set(work_.within.handle());
  send(border, step);
  completed_ = step.now();
  if (form.sends) left_ = step.next();
}

void whole_share::receive(const batch_plan& border, step_run& step) {
  const yoke::stream_handle stream = work_.ahead.handle();
  times& at = times_of(step.now());
  at.waiting.start(stream);
  peers_.hold_up(stream, step.now());
  at.waiting.stop(stream);
  at.receiving.start(stream);
  border.enqueue_unpacking(stream);
  at.receiving.stop(stream);
}

void whole_share::send(const batch_plan& border, step_run& step) {
  const yoke::stream_handle stream = work_.ahead.handle();
  times& at = times_of(step.now());
  done_.hold_up(stream);
  at.sending.start(stream);
  border.enqueue_packing(stream);
  border.enqueue_to_peers(stream);
  at.sending.stop(stream);
  border.note_departure(work_.shared, step.next());
  peers_.announce(stream, step.next());
  step.account().bytes_in += border.bytes_in();
  for (const face_run& copy : border.copies_to_peers()) step.account().count_direct(copy.space, copy.bytes);
}

/// Not what is under way of the next step. It ends where another CU has failed, too: this device waits for
/// what others were told to do before that was announced, and a stream that has failed lets events happen.
void whole_share::end(step_run& step) {
  const stopwatch watch = step.advancing();
  peers_.gone(step.next()).wait();
}

/// A device that waits for another one is not slow.
void whole_share::note_waiting(step_run& step) {
  times& at = times_of(step.now());
  step.exclude(step.count_otherwise(at.waiting.take_behind(at.begun), step.account().waiting));
}

/// What the device spent on faces was counted with the solver's time. The first part of a step hides what
/// comes in, and that of the next one what goes out.
void whole_share::note_exchange(step_run& step) {
  times& at = times_of(step.now());
  const yoke::seconds sending = at.sending.take();
  const bool hides = has_first_part() && is_begun(step.next());
  const yoke::seconds spent = placing_.take() + at.receiving.take_behind(at.begun) + (hides ? 0 : sending);
  step.count_otherwise(spent, step.exchange());
}

}  // namespace npb
