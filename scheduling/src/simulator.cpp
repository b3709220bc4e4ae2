#include "assignment.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <queue>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/simulator.hpp>

namespace yoke {

namespace {

class simulation {
 public:
  simulation(schedule& plan, const workload& work, int n_units, const batch_time& time, int passes)
      : plan_{plan}, n_tasks_{work.n_tasks}, time_{time}, units_(static_cast<std::size_t>(n_units)) {
    simulated_pass empty;
    empty.busy.resize(units_.size());
    empty.map.resize(static_cast<std::size_t>(n_tasks_));
    passes_.assign(static_cast<std::size_t>(passes), empty);
    started_.resize(passes_.size());
  }

  /// Everybody runs passes [first, last), beginning at `start`. Returns when the last unit has finished.
  seconds run(pass_id first, pass_id last, seconds start) {
    plan_.prepare(first);
    for (int u = 0; u < static_cast<int>(units_.size()); ++u) {
      units_[static_cast<std::size_t>(u)] = {.pass = first, .batch = {}, .started = start};
      events_.emplace(start, u);
    }
    seconds end = start;
    while (!events_.empty()) {
      const auto [now, u] = events_.top();
      events_.pop();
      end = std::max(end, now);
      step(unit_id{u}, now, last);
    }
    for (pass_id pass = first; pass < last; ++pass) check_complete(pass);
    return end;
  }

  std::vector<simulated_pass> result() && { return std::move(passes_); }

 private:
  struct unit_state {
    pass_id pass = 0;
    std::span<const task_id> batch;
    seconds started = 0;
  };

  void step(unit_id unit, seconds now, pass_id last) {
    unit_state& own = units_[scheduling::index(unit)];
    if (!own.batch.empty()) finish(unit, own, now);
    for (; own.pass < last; ++own.pass) {
      own.batch = plan_.next(unit, own.pass);
      if (!own.batch.empty()) return start(unit, own, now);
    }
  }

  void start(unit_id unit, unit_state& own, seconds now) {
    simulated_pass& pass = passes_[static_cast<std::size_t>(own.pass)];
    if (!std::exchange(started_[static_cast<std::size_t>(own.pass)], true)) pass.begin = now;
    for (const task_id task : own.batch) {
      if (task < 0 || task >= n_tasks_)
        throw usage_error{fmt::format("the schedule gave task {} of {} to unit {} in pass {}: no such task",
                                      int{task}, n_tasks_, int{unit}, own.pass)};
      unit_id& owner = pass.map[scheduling::index(task)];
      if (owner >= 0)
        throw usage_error{fmt::format("the schedule gave task {} twice in pass {}: to unit {} and to unit {}",
                                      int{task}, own.pass, int{owner}, int{unit})};
      owner = unit;
    }
    own.started = now;
    events_.emplace(now + time_(unit, own.pass, own.batch), unit);
  }

  void finish(unit_id unit, unit_state& own, seconds now) {
    simulated_pass& pass = passes_[static_cast<std::size_t>(own.pass)];
    pass.end = std::max(pass.end, now);
    pass.busy[scheduling::index(unit)] += now - own.started;
    plan_.done(unit, own.pass, own.batch, now - own.started);
    own.batch = {};
  }

  void check_complete(pass_id pass) const {
    const std::vector<unit_id>& map = passes_[static_cast<std::size_t>(pass)].map;
    const auto missing = std::find(map.begin(), map.end(), unit_id{});
    if (missing != map.end())
      throw usage_error{
          fmt::format("the schedule gave task {} to no unit in pass {}", missing - map.begin(), pass)};
  }

  using event = std::pair<seconds, int>;

  schedule& plan_;
  int n_tasks_;
  const batch_time& time_;
  std::vector<unit_state> units_;
  std::vector<simulated_pass> passes_;
  std::vector<char> started_;
  std::priority_queue<event, std::vector<event>, std::greater<>> events_;
};

}  // namespace

batch_time linear_time(const workload& work, std::vector<speed> speeds) {
  return [work, speeds = std::move(speeds)](unit_id unit, pass_id, std::span<const task_id> batch) {
    const speed& own = speeds[scheduling::index(unit)];
    return own.launch + own.per_weight * scheduling::weight_of(work, batch);
  };
}

std::vector<simulated_pass> simulate(schedule& plan, const workload& work, int n_units,
                                     const batch_time& time, int passes, pass_order order) {
  simulation sim{plan, work, n_units, time, passes};
  if (order == pass_order::overlapping) {
    plan.ran(0, passes, sim.run(0, passes, 0));
  } else {
    seconds start = 0;
    for (pass_id pass = 0; pass < passes; ++pass) {
      const seconds end = sim.run(pass, pass + 1, start);
      plan.ran(pass, 1, end - start);
      start = end;
    }
  }
  return std::move(sim).result();
}

}  // namespace yoke
