#include "host_stepper.hpp"

#include "driver/step/team_of.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <omp.h>
#include <utility>

namespace npb {

namespace {

/// Calls `copy(side, component)` for all of them, in an inner team where there is one: with many CPUs in a
/// CU the copies would else take as long as the solver.
template <class Copy>
void for_faces(int n_threads, const Copy& copy) {
  constexpr int n = n_sides * n_components;
  if (n_threads == 1) {
    for (int i = 0; i < n; ++i) copy(all_sides[static_cast<std::size_t>(i / n_components)], i % n_components);
    return;
  }
#pragma omp parallel for num_threads(n_threads) schedule(static)
  for (int i = 0; i < n; ++i) copy(all_sides[static_cast<std::size_t>(i / n_components)], i % n_components);
}

/// Takes the first zone that is ready out of `waiting`; yoke::no_task where none is.
yoke::task_id take_ready(const stepping& s, std::vector<yoke::task_id>& waiting, int step) {
  const auto found = std::find_if(waiting.begin(), waiting.end(),
                                  [&](yoke::task_id zone) { return is_ready(s, zone, step); });
  if (found == waiting.end()) return yoke::no_task;
  const yoke::task_id zone = *found;
  waiting.erase(found);
  return zone;
}

}  // namespace

host_stepper::host_stepper(const stepping& shared, const yoke::compute_unit& unit)
    : shared_{shared}, unit_{unit.id}, team_{make_worker(static_cast<int>(unit.cpus.size()))} {
  team_.trace = shared.trace;
}

host_stepper::worker host_stepper::make_worker(int n_threads) const {
  worker made{};
  made.n_threads = n_threads;
  made.solver = shared_.what.make_host_solver(n_threads, shared_.what.what().largest_zone());
  made.waiting.reserve(static_cast<std::size_t>(shared_.zones.n_zones()));
  return made;
}

void host_stepper::run(std::span<const yoke::task_id> batch, step_run& step) {
  if (team_.n_threads == 1 || batch.size() == 1) return run_together(batch, step);
  take_over(batch, step);
  if (!std::ranges::equal(batch, planned_)) {
    plan_ =
        yoke::scheduling::plan_team(batch, shared_.weights, team_.n_threads, team_of(shared_.what.what()));
    planned_.assign(batch.begin(), batch.end());
  }
  run_side_by_side(plan_, step);
  run_together(plan_.shared, step);
}

void host_stepper::rehearse(yoke::task_id zone) {
  shared_.zones.bring(zone, yoke::host_space);
  team_.solver->advance(shared_.zones.on_host(zone));
}

yoke::seconds host_stepper::time_of(yoke::task_id zone) {
  const host_zone fields = shared_.zones.on_host(zone);
  const yoke::ticks from = yoke::now();
  team_.solver->advance(fields);
  return yoke::elapsed(from, yoke::now());
}

/// Threads do not fetch zones from devices: that is the outer thread's, with the CU's stream. Where a zone is
/// can be asked once its previous step has ended; until then whoever runs that may yet move it.
void host_stepper::take_over(std::span<const yoke::task_id> batch, step_run& step) {
  for (const yoke::task_id zone : batch) {
    step.wait_for_zone(zone);
    fetch(zone, step);
  }
}

/// Nobody blocks in here, so that a thread that fails keeps no other one waiting.
void host_stepper::run_side_by_side(const yoke::scheduling::team_plan& plan, step_run& step) {
  while (std::ssize(alone_) < team_.n_threads) alone_.push_back(make_worker(1));
  std::atomic<bool> failed{false};
  std::exception_ptr error;  // of the thread that failed first
#pragma omp parallel num_threads(team_.n_threads)
  for (auto t = static_cast<std::size_t>(omp_get_thread_num()); t < alone_.size();
       t += static_cast<std::size_t>(omp_get_num_threads())) {
    worker& by = alone_[t];
    by.waiting.assign(plan.own[t].begin(), plan.own[t].end());
    try {
      run_own(by, step, failed);
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
    }
  }
  settle(alone_, step);
  if (error) std::rethrow_exception(error);
}

void host_stepper::run_own(worker& by, const step_run& step, const std::atomic<bool>& failed) {
  while (!by.waiting.empty()) {
    const yoke::ticks from = yoke::now();
    yoke::task_id zone = yoke::no_task;
    shared_.order.wait_until([&] {
      zone = take_ready(shared_, by.waiting, step.number());
      return zone != yoke::no_task || failed;
    });
    if (zone == yoke::no_task) return;
    by.idle += yoke::now() - from;
    run_zone(by, zone, step);
  }
}

void host_stepper::run_together(std::span<const yoke::task_id> zones, step_run& step) {
  team_.waiting.assign(zones.begin(), zones.end());
  while (!team_.waiting.empty()) {
    yoke::task_id zone = take_ready(shared_, team_.waiting, step.number());
    if (zone == yoke::no_task) {
      zone = team_.waiting.front();
      step.wait_for({&zone, 1});
      team_.waiting.erase(team_.waiting.begin());
    }
    shared_.order.check();
    fetch(zone, step);
    run_zone(team_, zone, step);
  }
  settle({&team_, 1}, step);
}

void host_stepper::fetch(int zone, step_run& step) {
  if (shared_.zones.space_of(zone) == yoke::host_space) return;
  yoke::ticks moving = 0;
  const stopwatch watch = step.migrating(moving);
  step.account().migrations += shared_.zones.bring(zone, yoke::host_space);
}

void host_stepper::run_zone(worker& by, int zone, const step_run& step) {
  const host_zone fields = shared_.zones.on_host(zone);
  {
    const stopwatch watch{by.trace, unit_, "exchange", by.exchange};
    receive(by, zone, step.now(), fields);
  }
  {
    const stopwatch watch{by.trace, unit_, "advance", by.compute};
    by.solver->advance(fields);
  }
  {
    const stopwatch watch{by.trace, unit_, "exchange", by.exchange};
    send(by, zone, step.next(), fields);
  }
  ++by.tasks;
  by.work += static_cast<double>(fields.shape.interior_points());
  publish(shared_, zone, step.number(), yoke::host_space);
}

void host_stepper::receive(const worker& by, int zone, moment at, const host_zone& fields) {
  std::array<const double*, n_sides> faces{};
  for (const side s : all_sides)
    faces[static_cast<std::size_t>(s)] = shared_.faces.on_host(shared_.faces.incoming(zone, s), at);
  for_faces(by.n_threads, [&](side s, int m) {
    unpack(outer_plane(fields.shape, s), m, faces[static_cast<std::size_t>(s)], fields.u);
  });
}

void host_stepper::send(const worker& by, int zone, moment at, const host_zone& fields) {
  for_faces(by.n_threads, [&](side s, int m) {
    pack(inner_plane(fields.shape, s), m, fields.u, shared_.faces.host_slot(face_of(zone, s), at));
  });
  for (const side s : all_sides) shared_.faces.set_on_host(face_of(zone, s), at);
}

/// Moves what `workers` noted down to the account: the mean of those that worked side by side.
void host_stepper::settle(std::span<worker> workers, step_run& step) {
  const auto n = static_cast<yoke::ticks>(workers.size());
  unit_account& account = step.account();
  yoke::ticks idle = 0, compute = 0, exchange = 0;
  for (worker& by : workers) {
    idle += std::exchange(by.idle, 0);
    compute += std::exchange(by.compute, 0);
    exchange += std::exchange(by.exchange, 0);
    account.tasks += std::exchange(by.tasks, 0);
    account.work += std::exchange(by.work, 0);
  }
  step.compute() += compute / n;
  step.exchange() += exchange / n;
  account.waiting += idle / n;
  step.exclude(idle / n);
}

}  // namespace npb
