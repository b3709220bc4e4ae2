#include "device_stepper.hpp"

#include "bring_zones.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace npb {

device_stepper::device_stepper(const stepping& shared, const yoke::compute_unit& unit)
    : shared_{shared},
      unit_{unit},
      launches_{shared, unit},
      solver_{launches_.solver()},
      plans_{shared, unit, solver_},
      share_{unit},
      within_{*unit.dev, side_stream::kind::usual},
      ahead_{*unit.dev, side_stream::kind::urgent},
      lane_{*unit.dev, side_stream::kind::usual},
      beside_{*unit.dev, side_stream::kind::usual},
      inner_begun_{*unit.dev},
      inner_done_{*unit.dev},
      placing_{*unit.dev},
      receiving_{*unit.dev},
      sending_{*unit.dev},
      leaving_{*unit.dev} {
  shared_.faces.use_device(unit.space);
}

void device_stepper::run(std::span<const yoke::task_id> batch, int step, unit_account& account) {
  look_at(batch);
  or_abandon([&] { run_parts(step, account); });
  is_busy_ = started_ == moment_of(step + 1);
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
  if (!std::exchange(is_busy_, false)) return;
  for (side_stream* const stream : {&within_, &ahead_, &lane_, &beside_}) stream->abandon();
}

void device_stepper::run_parts(int step, unit_account& account) {
  if (parts_.is_share && started_ != moment_of(step)) {
    ready_share(step, account);
    launch_share(step, account);
  }
  await_border(step, account);
  const batch_plan* const border = parts_.border.empty() ? nullptr : &start_border(step, account);
  if (border != nullptr) finish_border(*border, step, account);
  if (sends(step)) leave_faces(step, account);
  inner_done_.set(within_.handle());
  if (may_go_on(step)) launch_share(step + 1, account);
  if (!parts_.beyond.empty() && step < shared_.last_step) fetch_ahead(step, account);
  synchronize(step, account);
  note_exchange(step, account);
  publish(parts_.inner, step, account);
}

bool device_stepper::can_send() const { return parts_.is_share && solver_.sends_faces(); }
/// Behind the last step boundaries must stay as they are; while the map is open all faces are shown anew.
bool device_stepper::sends(int step) const {
  return can_send() && shared_.is_fixed && step < shared_.last_step;
}

step_form device_stepper::form_of(int step) const {
  const bool meets_others = can_send() && !parts_.inner.empty() && !parts_.border.empty();
  return {.sends = sends(step), .in_parts = solver_.begins_before_faces() || meets_others};
}

void device_stepper::look_at(std::span<const yoke::task_id> batch) {
  if (parts_.routes != shared_.faces.routes() || !std::ranges::equal(batch, parts_.batch))
    parts_ = split_batch(batch, shared_.faces, unit_.id);
}

void device_stepper::ready_share(int step, unit_account& account) {
  if (shared_.order.is_stopped()) throw stopped{};
  if (shared_.exchange == exchange_mode::barrier) wait(parts_.batch, step, account);
  if (!share_.fits(shared_, parts_.batch, plans_.work_generation())) lay_out_share(step, account);
}

/// Inner zones keep the device busy while the border is prepared; its kernels go before theirs all the same.
/// Waits for nobody: the step before is not published yet when they go on.
void device_stepper::launch_share(int step, unit_account& account) {
  if (left_ != moment_of(step)) place_faces(step, account);
  start_inner(step, account);
  started_ = moment_of(step);
}

/// Whether the inner zones' next step can follow at once: they need nobody, so that the device need not wait
/// while the host finishes this one.
bool device_stepper::may_go_on(int step) const {
  return parts_.is_share && shared_.is_fixed && step < shared_.last_step &&
         shared_.exchange == exchange_mode::dataflow &&
         share_.fits(shared_, parts_.batch, plans_.work_generation());
}

/// Needs nobody else, once all zones are here. Nothing is under way before the first copy.
void device_stepper::place_faces(int step, unit_account& account) {
  const stopwatch watch{shared_.trace, unit_.id, "advance", account.compute[static_cast<std::size_t>(step)]};
  if (!share_.has_copies()) return;
  if (solver_.begins_before_faces()) {
    beside_.follow(within_.handle());
    return share_.enqueue_copies(beside_.handle());
  }
  placing_.start(within_.handle());
  share_.enqueue_copies(within_.handle());
  placing_.stop(within_.handle());
  if (!parts_.border.empty()) ahead_.follow(within_.handle());
}

/// For the next step: what the solver has not sent. The border is done, or there is none. Inner zones take
/// faces during the second part of their step and give them during the first part of the next.
void device_stepper::leave_faces(int step, unit_account& account) {
  left_ = moment_of(step + 1);
  if (!form_of(step).in_parts) return;
  const stopwatch watch{shared_.trace, unit_.id, "advance", account.compute[static_cast<std::size_t>(step)]};
  inner_begun_.hold_up(beside_.handle());
  share_.enqueue_copies_to_inner(beside_.handle());
  beside_.lead(within_.handle());
  beside_.follow(within_.handle());
  share_.enqueue_copies_to_border(beside_.handle());
}

void device_stepper::lay_out_share(int step, unit_account& account) {
  wait(parts_.batch, step, account);
  bring_zones(parts_.batch, shared_, unit_, plans_, account);
  off_the_clock(shared_, unit_.id, "lay out", account.preparing, [&] {
    plans_.reserve_work(parts_.batch);  // both parts at once: it must not move in between
    share_.lay_out(shared_, parts_.batch, parts_.inner, plans_.work_behind(parts_.border),
                   plans_.work_generation(), plans_.work_bytes(parts_.inner));
  });
}

void device_stepper::start_inner(int step, unit_account& account) {
  if (parts_.inner.empty()) return;
  capture_if_due(share_, within_.handle(), step, account);
  const stopwatch watch{shared_.trace, unit_.id, "advance", account.compute[static_cast<std::size_t>(step)]};
  const step_form form = form_of(step);
  launches_.begin(share_, within_.handle(), form, account);
  if (form.in_parts) {
    inner_begun_.set(within_.handle());
    beside_.lead(within_.handle());
  }
  launches_.finish(share_, within_.handle(), form, account);
}

/// While inner zones run, waiting is no waste: it counts as time of the batch.
void device_stepper::await_border(int step, unit_account& account) const {
  if (parts_.inner.empty() || are_ready(parts_.border, step)) return;
  const stopwatch watch{shared_.trace, unit_.id, "advance", account.compute[static_cast<std::size_t>(step)]};
  const yoke::event inner_done{*unit_.dev, within_.handle()};
  while (!are_ready(parts_.border, step) && !shared_.order.is_stopped() && !inner_done.done())
    std::this_thread::yield();
}

batch_plan& device_stepper::start_border(int step, unit_account& account) {
  wait(parts_.border, step, account);
  bring_zones(parts_.border, shared_, unit_, plans_, account);
  batch_plan& plan = prepare(step, account);
  if (!parts_.is_share) ahead_.follow(unit_.stream);
  if (!plan.is_fetched(moment_of(step))) {
    exchange_on_host(step, account, [&] { plan.gather(); });
    fetch(plan, step);
  }
  advance_border(plan, step, account);
  send(plan);
  account.bytes_in += plan.bytes_in();
  account.bytes_out += plan.bytes_out();
  return plan;
}

/// Faces come in before what reads them.
void device_stepper::advance_border(const batch_plan& border, int step, unit_account& account) {
  const stopwatch watch{shared_.trace, unit_.id, "advance", account.compute[static_cast<std::size_t>(step)]};
  const step_form form = form_of(step);
  const bool begins_first = form.in_parts && solver_.begins_before_faces();
  if (begins_first) launches_.begin(border, ahead_.handle(), form, account);
  if (form.in_parts) beside_.lead(ahead_.handle());
  receive(border);
  if (!begins_first) launches_.begin(border, ahead_.handle(), form, account);
  launches_.finish(border, ahead_.handle(), form, account);
}

/// Requires what gather() does.
void device_stepper::fetch(batch_plan& border, int step) {
  if (border.bytes_in() == 0) return;
  border.enqueue_messages_in(lane_.handle());
  border.set_fetched(moment_of(step));
}

void device_stepper::receive(const batch_plan& border) {
  receiving_.start(ahead_.handle());
  if (border.bytes_in() > 0) ahead_.follow(lane_.handle());
  border.enqueue_unpacking(ahead_.handle());
  receiving_.stop(ahead_.handle());
}

void device_stepper::send(const batch_plan& border) {
  sending_.start(ahead_.handle());
  border.enqueue_packing(ahead_.handle());
  sending_.stop(ahead_.handle());
  if (border.bytes_out() == 0) return;
  lane_.follow(ahead_.handle());
  leaving_.start(lane_.handle());
  border.enqueue_message_out(lane_.handle());
  leaving_.stop(lane_.handle());
}

/// Lets the others have the faces of the border while inner zones still run.
void device_stepper::finish_border(const batch_plan& border, int step, unit_account& account) {
  {
    const stopwatch watch{shared_.trace, unit_.id, "advance",
                          account.compute[static_cast<std::size_t>(step)]};
    ahead_.synchronize();
    lane_.synchronize();
  }
  exchange_on_host(step, account, [&] { border.deliver(shared_, moment_of(step + 1)); });
  publish(parts_.border, step, account);
}

/// While inner zones run: sends for the faces of the next step, as soon as they are there.
void device_stepper::fetch_ahead(int step, unit_account& account) {
  const stopwatch watch{shared_.trace, unit_.id, "advance", account.compute[static_cast<std::size_t>(step)]};
  const auto are_there = [&] {
    return std::ranges::all_of(parts_.beyond, [&](int z) { return shared_.order.is_published(z, step + 1); });
  };
  while (!are_there()) {
    if (shared_.order.is_stopped() || inner_done_.is_passed()) return;
    std::this_thread::yield();
  }
  batch_plan* const next = plans_.find(parts_.border, moment_of(step + 1), true);
  if (next == nullptr) return;
  next->gather();
  fetch(*next, step + 1);
}

void device_stepper::synchronize(int step, unit_account& account) {
  const stopwatch watch{shared_.trace, unit_.id, "advance", account.compute[static_cast<std::size_t>(step)]};
  inner_done_.wait();
  if (started_ != moment_of(step + 1)) beside_.synchronize();
  if (!parts_.beyond.empty()) lane_.synchronize();
}

/// What the device spent on faces was counted with the solver's time. A message out costs nothing where inner
/// zones run meanwhile.
void device_stepper::note_exchange(int step, unit_account& account) {
  const yoke::seconds leaving = leaving_.take();
  const yoke::seconds spent =
      placing_.take() + receiving_.take() + sending_.take() + (parts_.inner.empty() ? leaving : 0);
  yoke::ticks& compute = account.compute[static_cast<std::size_t>(step)];
  const auto ticks = std::min(compute, static_cast<yoke::ticks>(spent / yoke::tick_length()));
  compute -= ticks;
  account.exchange[static_cast<std::size_t>(step)] += ticks;
  if (!parts_.is_share && shared_.loop != nullptr) shared_.loop->exclude(ticks);  // as on the host
}

void device_stepper::publish(std::span<const yoke::task_id> zones, int step, unit_account& account) {
  for (const int zone : zones) {
    account.count(shared_.zones.shape(zone));
    npb::publish(shared_, zone, step, unit_.space);
  }
}

/// While the map is open every face goes through host memory one by one, and between pieces of a share it is
/// packed and unpacked. A share in one piece needs next to nothing of that, so it must not count as the speed
/// of the device.
template <class Work>
void device_stepper::exchange_on_host(int step, unit_account& account, const Work& work) {
  yoke::ticks& sum = account.exchange[static_cast<std::size_t>(step)];
  if (!parts_.is_share) return off_the_clock(shared_, unit_.id, "exchange", sum, work);
  const stopwatch watch{shared_.trace, unit_.id, "exchange", sum};
  work();
}

bool device_stepper::are_ready(std::span<const yoke::task_id> zones, int step) const {
  return std::ranges::all_of(zones, [&](int zone) { return is_ready(shared_, zone, step); });
}

void device_stepper::wait(std::span<const yoke::task_id> batch, int step, unit_account& account) {
  if (!are_ready(batch, step)) wait_for(shared_, unit_.id, batch, step, account);
  if (shared_.order.is_stopped()) throw stopped{};
}

void device_stepper::rehearse(yoke::task_id zone, unit_account& account) {
  const std::span<const yoke::task_id> batch{&zone, 1};
  bring_zones(batch, shared_, unit_, plans_, account);
  batch_plan& plan = plans_.get(batch, moment_of(0), false);
  plan.gather();
  or_abandon([&] {
    fetch(plan, 0);
    ahead_.follow(unit_.stream);
    receive(plan);
    launches_.finish(plan, ahead_.handle(), {}, account);
    send(plan);
    ahead_.synchronize();
    lane_.synchronize();
  });
  is_busy_ = false;
}

/// Everything that a later step with the same batch need not do again: the plan and its graph.
batch_plan& device_stepper::prepare(int step, unit_account& account) {
  batch_plan* plan = nullptr;
  off_the_clock(shared_, unit_.id, "lay out", account.preparing,
                [&] { plan = &plans_.get(parts_.border, moment_of(step), parts_.is_share); });
  capture_if_due(*plan, ahead_.handle(), step, account);
  return *plan;
}

/// Not in a step that sends no faces although others do.
void device_stepper::capture_if_due(device_plan& plan, yoke::stream_handle stream, int step,
                                    unit_account& account) {
  if (can_send() == sends(step)) launches_.capture_if_due(plan, stream, form_of(step), account);
}

}  // namespace npb
