#include "inner_zones.hpp"

#include "bring_zones.hpp"

namespace npb {

inner_zones::inner_zones(device_work& work)
    : work_{work},
      plan_{work.unit},
      begun_{*work.unit.dev},
      done_{*work.unit.dev, yoke::event_kind::timed},
      placing_{*work.unit.dev} {}

void inner_zones::start(step_run& step) {
  if (are_started(step.now())) return;
  make_ready(step);
  launch(step);
}

void inner_zones::make_ready(step_run& step) {
  work_.shared.order.check();
  if (work_.shared.exchange == exchange_mode::barrier) step.wait_for(work_.parts.batch);
  if (!plan_.fits(work_.shared, work_.parts.batch, work_.plans.work_generation())) lay_out(step);
}

void inner_zones::lay_out(step_run& step) {
  const batch_parts& parts = work_.parts;
  batch_plans& plans = work_.plans;
  step.wait_for(parts.batch);
  bring_zones(parts.batch, work_.shared, work_.unit, plans, step);
  step.lay_out([&] {
    plans.reserve_work(parts.batch);  // both parts at once: it must not move in between
    plan_.lay_out(work_.shared, parts.batch, parts.inner, plans.work_behind(parts.border),
                  plans.work_generation(), plans.work_bytes(parts.inner));
  });
}

bool inner_zones::may_go_on(const step_run& step) const {
  return work_.parts.is_share && work_.shared.is_fixed && !step.is_last() &&
         work_.shared.exchange == exchange_mode::dataflow &&
         plan_.fits(work_.shared, work_.parts.batch, work_.plans.work_generation());
}

void inner_zones::go_on(step_run& step) {
  if (!may_go_on(step)) return;
  step_run next = step.following();
  launch(next);
}

/// Waits for nobody: the step before is not published yet when they go on.
void inner_zones::launch(step_run& step) {
  if (left_ != step.now()) place_faces(step);
  if (!work_.parts.inner.empty()) advance(step);
  started_ = step.now();
}

/// Needs nobody else, once all zones are here. Nothing is under way before the first copy.
void inner_zones::place_faces(step_run& step) {
  const stopwatch watch = step.advancing();
  if (!plan_.has_copies()) return;
  if (work_.solver.begins_before_faces()) {
    work_.beside.follow(work_.within.handle());
    follow_border(work_.beside);
    return plan_.enqueue_copies(work_.beside.handle());
  }
  placing_.start(work_.within.handle());
  plan_.enqueue_copies(work_.within.handle());
  placing_.stop(work_.within.handle());
  if (!work_.parts.border.empty()) work_.ahead.follow(work_.within.handle());
}

/// Whose step may be under way: the copies read what it makes, and overwrite what it reads.
void inner_zones::follow_border(side_stream& copies) {
  if (!work_.parts.border.empty()) copies.follow(work_.ahead.handle());
}

void inner_zones::advance(step_run& step) {
  const yoke::stream_handle stream = work_.within.handle();
  work_.capture_if_due(plan_, stream, step);
  const stopwatch watch = step.advancing();
  const step_form form = work_.form_of(step);
  work_.launches.begin(plan_, stream, form, step);
  if (form.in_parts) {
    begun_.set(stream);
    work_.beside.lead(stream);
  }
  work_.launches.finish(plan_, stream, form, step);
}

/// Inner zones take faces during the second part of their step and give them during the first part of the
/// next.
void inner_zones::leave_faces(step_run& step) {
  if (!work_.sends(step)) return;
  left_ = step.next();
  if (!work_.form_of(step).in_parts) return;
  const stopwatch watch = step.advancing();
  begun_.hold_up(work_.beside.handle());
  follow_border(work_.beside);
  plan_.enqueue_copies_to_inner(work_.beside.handle());
  work_.beside.lead(work_.within.handle());
  work_.beside.follow(work_.within.handle());
  plan_.enqueue_copies_to_border(work_.beside.handle());
}

void inner_zones::finish(const step_run& step) {
  done_.wait();
  if (!are_started(step.next())) work_.beside.synchronize();
}

}  // namespace npb
