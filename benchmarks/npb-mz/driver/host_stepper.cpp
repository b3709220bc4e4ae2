#include "host_stepper.hpp"

#include <algorithm>
#include <array>

namespace npb {

host_stepper::host_stepper(const stepping& shared, const yoke::compute_unit& unit)
    : shared_{shared},
      unit_{unit.id},
      n_threads_{static_cast<int>(unit.cpus.size())},
      solver_{shared.what.make_host_solver(n_threads_, shared.what.what().largest_zone())} {
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

/// Calls `copy(side, component)` for all of them, in the CU's inner team where it has one: with many CPUs in
/// a CU the copies would else take as long as the solver.
template <class Copy>
void host_stepper::for_faces(const Copy& copy) const {
  constexpr int n = n_sides * n_components;
  if (n_threads_ == 1) {
    for (int i = 0; i < n; ++i) copy(all_sides[static_cast<std::size_t>(i / n_components)], i % n_components);
    return;
  }
#pragma omp parallel for num_threads(n_threads_) schedule(static)
  for (int i = 0; i < n; ++i) copy(all_sides[static_cast<std::size_t>(i / n_components)], i % n_components);
}

void host_stepper::receive(int zone, int step, const host_zone& fields) {
  std::array<const double*, n_sides> faces{};
  for (const side s : all_sides)
    faces[static_cast<std::size_t>(s)] = shared_.faces.on_host(shared_.faces.incoming(zone, s), step);
  for_faces([&](side s, int m) {
    unpack(outer_plane(fields.shape, s), m, faces[static_cast<std::size_t>(s)], fields.u);
  });
}

void host_stepper::send(int zone, int step, const host_zone& fields) {
  for_faces([&](side s, int m) {
    pack(inner_plane(fields.shape, s), m, fields.u, shared_.faces.host_slot(face_of(zone, s), step));
  });
  for (const side s : all_sides) {
    const int face = face_of(zone, s);
    shared_.faces.set_on_host(face, step, shared_.faces.host_slot(face, step));
  }
}

}  // namespace npb
