#include "hostless_zones.hpp"

#include "bring_zones.hpp"

namespace npb {

hostless_zones::times::times(yoke::device& dev)
    : begun{dev, yoke::event_kind::timed},
      seam_begun{dev},
      done{dev, yoke::event_kind::timed},
      waiting{dev},
      receiving{dev},
      sending{dev} {}

hostless_zones::hostless_zones(device_work& work)
    : work_{work},
      peers_{work},
      plan_{work.unit},
      times_{times{*work.unit.dev}, times{*work.unit.dev}},
      placing_{*work.unit.dev} {}

/// Waits for nobody where it goes on: the step before is not published yet.
void hostless_zones::begin(step_run& step) {
  if (is_begun(step.now())) return;
  work_.shared.order.check();
  if (work_.shared.exchange == exchange_mode::barrier) step.wait_for(work_.parts.batch);
  if (!plan_.fits(work_.shared, work_.parts.batch, work_.plans.work_generation())) lay_out(step);
  if (left_ != step.now()) {
    const stopwatch watch = step.advancing();
    place_faces();
  }
  if (!work_.parts.hostless.empty()) launch_first(step);
  begun_ = step.now();
}

void hostless_zones::launch_first(step_run& step) {
  const yoke::stream_handle stream = work_.within.handle();
  work_.capture_if_due(plan_, stream, step);
  const stopwatch watch = step.advancing();
  work_.launches.begin(plan_, stream, work_.form_of(step), step);
  times_of(step.now()).begun.set(stream);
}

/// Work memory for the border, the seam and the inner zones, in this order.
void hostless_zones::lay_out(step_run& step) {
  const batch_parts& parts = work_.parts;
  batch_plans& plans = work_.plans;
  step.wait_for(parts.batch);
  bring_zones(parts.batch, work_.shared, work_.unit, plans, step);
  step.lay_out([&] {
    plans.reserve_work(parts.batch);  // at once: it must not move in between
    plan_.lay_out(work_.shared, parts.batch, parts.hostless, plans.work_behind(parts.border.zones),
                  plans.work_generation(), plans.work_bytes(parts.hostless),
                  work_.solver.begins_before_faces() ? 0 : parts.seam.zones.size());
  });
}

bool hostless_zones::has_first_part() const {
  return work_.solver.begins_before_faces() || work_.parts.has_inner();
}

/// Needs nobody else, once all zones are here. Nothing is under way before the first copy.
void hostless_zones::place_faces() {
  if (!plan_.has_copies()) return;
  if (work_.solver.begins_before_faces()) {
    work_.beside.follow(work_.within.handle());
    follow_border(work_.beside);
    return plan_.enqueue_copies(work_.beside.handle());
  }
  placing_.start(work_.within.handle());
  plan_.enqueue_copies(work_.within.handle());
  placing_.stop(work_.within.handle());
  if (!work_.parts.border.zones.empty()) work_.ahead.follow(work_.within.handle());
  if (!work_.parts.seam.zones.empty()) work_.seam.follow(work_.within.handle());
}

/// Whose step may be under way: the copies read what it makes, and overwrite what it reads.
void hostless_zones::follow_border(side_stream& copies) {
  if (!work_.parts.border.zones.empty()) copies.follow(work_.ahead.handle());
}

batch_plan& hostless_zones::seam_plan(step_run& step) {
  batch_plan* plan = nullptr;
  step.lay_out(
      [&] { plan = &work_.plans.get(work_.parts.seam.zones, step.now(), true, work_.parts.border.zones); });
  plan->under_way = step.now();
  const stopwatch watch = step.exchanging();
  if (plan->bytes_in() == 0 || plan->is_fetched(step.now())) return *plan;
  plan->gather();  // where the map is new, from where the faces were
  plan->enqueue_messages_in(work_.lane.handle());
  plan->set_fetched(step.now());
  work_.seam.follow(work_.lane.handle());
  return *plan;
}

/// Between two steps, of faces that no solver sends: those between these zones and the border's.
bool hostless_zones::copies_across() const {
  return work_.can_send() && !work_.parts.border.zones.empty() && !work_.parts.hostless.empty();
}

bool hostless_zones::is_laid_out(moment at) const {
  return work_.parts.seam.zones.empty() || work_.plans.find(work_.parts.seam.zones, at, true) != nullptr;
}

void hostless_zones::complete(step_run& step) {
  if (!work_.parts.hostless.empty()) launch_second(step);
  completed_ = step.now();
}

void hostless_zones::launch_second(step_run& step) {
  const batch_plan* const seam = work_.parts.seam.zones.empty() ? nullptr : &seam_plan(step);
  const yoke::stream_handle stream = work_.within.handle();
  const stopwatch watch = step.advancing();
  const step_form form = work_.form_of(step);
  if (seam != nullptr) {
    receive(*seam, step);
    if (plan_.begun_elsewhere() > 0) work_.launches.begin(*seam, work_.seam.handle(), form, step);
    if (copies_across()) times_of(step.now()).seam_begun.set(work_.seam.handle());
    work_.seam.lead(stream);
  }
  if (work_.solver.begins_before_faces() || copies_across()) work_.beside.lead(stream);
  work_.launches.finish(plan_, stream, form, step);
  times_of(step.now()).done.set(stream);
  if (seam == nullptr) return;
  send(*seam, step);
  if (work_.parts.border.peers.empty()) announce(step);
}

void hostless_zones::receive(const batch_plan& seam, step_run& step) {
  const yoke::stream_handle stream = work_.seam.handle();
  times& at = times_of(step.now());
  at.waiting.start(stream);
  peers_.hold_up(stream, work_.parts.seam.peers, step.now());
  at.waiting.stop(stream);
  at.receiving.start(stream);
  seam.enqueue_unpacking(stream);
  at.receiving.stop(stream);
}

void hostless_zones::send(const batch_plan& seam, step_run& step) {
  const yoke::stream_handle stream = work_.seam.handle();
  times& at = times_of(step.now());
  at.done.hold_up(stream);
  at.sending.start(stream);
  seam.enqueue_packing(stream);
  seam.enqueue_to_peers(stream);
  at.sending.stop(stream);
  seam.note_departure(work_.shared, step.next());
  step.account().bytes_in += seam.bytes_in();
  for (const face_run& copy : seam.copies_to_peers()) step.account().count_direct(copy.space, copy.bytes);
}

bool hostless_zones::are_at_work(moment at) const {
  if (work_.parts.hostless.empty()) return false;
  const times& of = times_of(at);
  return is_complete(at) ? !of.done.is_passed() : has_first_part() && !of.begun.is_passed();
}

void hostless_zones::announce(step_run& step) {
  if (!work_.parts.border.peers.empty()) work_.seam.follow(work_.ahead.handle());
  peers_.announce(work_.seam.handle(), step.next());
}

/// They take the border's faces during the second part of their step, and give theirs during the first part
/// of the next.
void hostless_zones::leave_faces(step_run& step) {
  if (!work_.sends(step)) return;
  left_ = step.next();
  if (!copies_across()) return;
  const stopwatch watch = step.advancing();
  const times& at = times_of(step.now());
  at.begun.hold_up(work_.beside.handle());
  if (!work_.parts.seam.zones.empty()) at.seam_begun.hold_up(work_.beside.handle());
  follow_border(work_.beside);
  plan_.enqueue_copies_from_border(work_.beside.handle());
  work_.beside.lead(work_.within.handle());
  if (!work_.parts.seam.zones.empty()) work_.beside.lead(work_.seam.handle());
  work_.beside.follow(work_.within.handle());
  plan_.enqueue_copies_to_border(work_.beside.handle());
}

bool hostless_zones::may_go_on(const step_run& step) const {
  return work_.parts.is_share && work_.shared.is_fixed && !step.is_last() &&
         work_.shared.exchange == exchange_mode::dataflow &&
         plan_.fits(work_.shared, work_.parts.batch, work_.plans.work_generation());
}

bool hostless_zones::is_over(const step_run& step) const {
  return (work_.parts.hostless.empty() || end(step.now()).is_passed()) &&
         (!work_.parts.has_peers() || peers_.gone(step.next()).is_passed());
}

void hostless_zones::finish(const step_run& step) {
  if (work_.parts.has_peers()) peers_.gone(step.next()).wait();
  if (!work_.parts.hostless.empty()) end(step.now()).wait();
  if (!is_begun(step.next())) work_.beside.synchronize();
}

yoke::seconds hostless_zones::take_waiting(const step_run& step) {
  times& at = times_of(step.now());
  return at.waiting.take_behind(at.begun);
}

yoke::seconds hostless_zones::take_exchange(const step_run& step) {
  times& at = times_of(step.now());
  const yoke::seconds sending = at.sending.take();
  const bool hides = has_first_part() && is_begun(step.next());
  return placing_.take() + at.receiving.take_behind(at.begun) + (hides ? 0 : sending);
}

}  // namespace npb
