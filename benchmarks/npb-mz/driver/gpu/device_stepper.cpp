#include "device_stepper.hpp"

#include "bring_zones.hpp"

#include <algorithm>
#include <utility>

namespace npb {

device_stepper::device_stepper(const stepping& shared, const yoke::compute_unit& unit)
    : work_{shared, unit}, inner_{work_}, border_{work_}, whole_{work_} {}

void device_stepper::run(std::span<const yoke::task_id> batch, step_run& step) {
  look_at(batch);
  or_abandon([&] { run_parts(step); });
  is_busy_ = inner_.are_started(step.next()) || whole_.is_begun(step.next());
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
    work_.parts = split_batch(batch, faces, work_.unit.id);
}

void device_stepper::run_parts(step_run& step) {
  if (work_.is_whole()) return whole_.run(step);
  if (work_.parts.is_share) inner_.start(step);
  await_border(step);
  border_.start(step);
  border_.end(step);
  inner_.leave_faces(step);
  inner_.mark_done();
  inner_.go_on(step);
  border_.fetch_ahead(step, [&] { return inner_.are_done(); });
  finish(step);
  note_waiting(step);
  note_exchange(step);
  step.publish(work_.parts.inner, work_.unit.space);
}

/// While inner zones run, waiting is no waste: it counts as time of the batch.
void device_stepper::await_border(step_run& step) {
  const auto is_ready = [&] { return border_.are_ready(step.now()); };
  if (work_.parts.inner.empty() || is_ready()) return;
  const stopwatch watch = step.advancing();
  inner_.mark_done();
  work_.shared.order.wait_until([&] { return is_ready() || inner_.are_done(); });
}

void device_stepper::finish(step_run& step) {
  const stopwatch watch = step.advancing();
  inner_.finish(step);
  if (!work_.parts.beyond.empty()) work_.lane.synchronize();
}

/// A device that waits for another one is not slow.
void device_stepper::note_waiting(step_run& step) {
  if (work_.parts.peers.empty()) return;
  const stream_mark* const inner = work_.parts.inner.empty() ? nullptr : &inner_.end();
  step.exclude(step.count_otherwise(border_.take_waiting(inner), step.account().waiting));
}

/// What the device spent on faces was counted with the solver's time. A message out costs nothing where inner
/// zones run meanwhile.
void device_stepper::note_exchange(step_run& step) {
  const yoke::seconds spent = inner_.take_placing() + border_.take_exchange(work_.parts.inner.empty());
  const yoke::ticks ticks = step.count_otherwise(spent, step.exchange());
  if (!work_.parts.is_share) step.exclude(ticks);  // as on the host
}

void device_stepper::rehearse(yoke::task_id zone, step_run& step) {
  bring_zones({&zone, 1}, work_.shared, work_.unit, work_.plans, step);
  or_abandon([&] { border_.rehearse(zone, step); });
  is_busy_ = false;
}

}  // namespace npb
