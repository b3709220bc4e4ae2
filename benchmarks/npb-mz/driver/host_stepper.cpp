#include "host_stepper.hpp"

#include <algorithm>

namespace npb {

host_stepper::host_stepper(const stepping& shared, const yoke::compute_unit& unit)
    : shared_{shared},
      unit_{unit.id},
      solver_{shared.what.make_host_solver(static_cast<int>(unit.cpus.size()),
                                           shared.what.what().largest_zone())} {
  waiting_.reserve(static_cast<std::size_t>(shared.zones.n_zones()));
}

void host_stepper::run(std::span<const yoke::task_id> batch, int step, unit_account& account) {
  waiting_.assign(batch.begin(), batch.end());
  while (!waiting_.empty()) run_zone(next_ready(step, account), step, account);
}

void host_stepper::rehearse(yoke::task_id zone) {
  shared_.zones.bring(zone, yoke::host_space);
  solver_->advance(shared_.zones.on_host(zone));
}

/// Takes the first zone that is ready out of waiting_; where none is, waits for the first.
yoke::task_id host_stepper::next_ready(int step, unit_account& account) {
  auto found = std::find_if(waiting_.begin(), waiting_.end(),
                            [&](yoke::task_id zone) { return is_ready(shared_, zone, step); });
  if (found == waiting_.end()) {
    found = waiting_.begin();
    wait_for(shared_, unit_, {&*found, 1}, step, account);
  }
  const yoke::task_id zone = *found;
  waiting_.erase(found);
  return zone;
}

void host_stepper::run_zone(int zone, int step, unit_account& account) {
  if (shared_.order.is_stopped()) throw stopped{};
  if (shared_.zones.space_of(zone) != yoke::host_space) {
    yoke::ticks moving = 0;
    const stopwatch watch{shared_, unit_, "migrate", moving};
    account.migrations += shared_.zones.bring(zone, yoke::host_space);
  }
  const host_zone fields = shared_.zones.on_host(zone);
  yoke::ticks& exchange = account.exchange[static_cast<std::size_t>(step)];
  {
    const stopwatch watch{shared_, unit_, "exchange", exchange};
    receive(zone, step, fields);
  }
  {
    const stopwatch watch{shared_, unit_, "advance", account.compute[static_cast<std::size_t>(step)]};
    solver_->advance(fields);
  }
  {
    const stopwatch watch{shared_, unit_, "exchange", exchange};
    send(zone, step + 1, fields);
  }
  account.count(fields.shape);
  shared_.order.publish(zone, step);
}

void host_stepper::receive(int zone, int step, const host_zone& fields) {
  for (const side s : all_sides) {
    const double* face = shared_.faces.on_host(shared_.faces.incoming(zone, s), step);
    unpack(outer_plane(fields.shape, s), face, fields.u);
  }
}

void host_stepper::send(int zone, int step, const host_zone& fields) {
  for (const side s : all_sides) {
    const int face = face_of(zone, s);
    double* slot = shared_.faces.host_slot(face, step);
    pack(inner_plane(fields.shape, s), fields.u, slot);
    shared_.faces.set_on_host(face, step, slot);
  }
}

}  // namespace npb
