#pragma once
/// Drives a schedule as a runtime would, in random order or with real threads, and counts what it hands out.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <thread>
#include <vector>

#include <yoke/scheduling.hpp>
#include <yoke/speed_fit.hpp>

namespace driver {

using namespace yoke;

using support::seed;

using generator = std::mt19937;
inline int between(generator& rng, int low, int high) {
  return std::uniform_int_distribution{low, high}(rng);
}
inline double real(generator& rng, double low, double high) {
  return std::uniform_real_distribution{low, high}(rng);
}

/// `cpus` CPU CUs, then `gpus` GPU CUs, each in a space of its own.
inline std::vector<unit> make_units(int cpus, int gpus, std::size_t gpu_memory = 0) {
  std::vector<unit> units(static_cast<std::size_t>(cpus));
  for (int g = 0; g < gpus; ++g) units.push_back({unit_kind::gpu, space_id{g + 1}, gpu_memory});
  return units;
}

/// Of a grid that is closed in both directions, as NPB-MZ's zones, each task with its neighbours.
inline std::vector<edge> closed_grid(int nx, int ny, std::size_t bytes = 8) {
  std::vector<edge> edges;
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const task_id here{x + nx * y};
      edges.push_back({here, task_id{(x + 1) % nx + nx * y}, bytes});
      edges.push_back({here, task_id{x + nx * ((y + 1) % ny)}, bytes});
    }
  return edges;
}

/// The same speed for all units of a kind.
inline std::vector<speed> speeds_of(std::span<const unit> units, speed cpu, speed gpu) {
  std::vector<speed> speeds;
  for (const unit& u : units) speeds.push_back(u.kind == unit_kind::cpu ? cpu : gpu);
  return speeds;
}

/// What has been settled for good; empty while nothing has.
inline std::vector<unit_id> settled_map(const schedule& plan) {
  return plan.plan_of(pass_plan::for_good - 1).map;
}

/// The first pass that has the map that holds for good; -1 while nothing is settled.
inline pass_id settled_from(const schedule& plan) {
  for (pass_id pass = 0; pass < 100; ++pass)
    if (plan.plan_of(pass).is_settled()) return pass;
  return -1;
}

inline std::vector<unit> random_units(generator& rng) {
  const int cpus = between(rng, 0, 6);
  std::vector<unit> units = make_units(cpus, between(rng, cpus == 0 ? 1 : 0, 3));
  const int cpus_of_each = between(rng, 1, 3), nodes = between(rng, 1, 3);
  for (unit& u : units) {
    if (u.kind == unit_kind::cpu) u.cpus = cpus_of_each;
    u.numa_node = between(rng, 1, nodes);
  }
  return units;
}

inline workload random_workload(generator& rng, int most_tasks = 60) {
  workload work{.n_tasks = between(rng, 0, most_tasks)};
  if (between(rng, 0, 1) == 1)
    for (int t = 0; t < work.n_tasks; ++t) work.weights.push_back(real(rng, 0.1, 10));
  return work;
}

/// The schedule `name` with random options that it accepts.
inline std::string random_spec(generator& rng, const scheduling::schedule_info& info) {
  std::string spec{info.name};
  const auto accepts = [&](const char* option) { return info.options.find(option) != std::string::npos; };
  if (accepts("chunk=k") && between(rng, 0, 1) == 1) spec += ",chunk=" + std::to_string(between(rng, 1, 5));
  if (accepts("gpu_chunk=") && between(rng, 0, 1) == 1)
    spec += between(rng, 0, 1) == 1 ? ",gpu_chunk=chunk" : ",gpu_chunk=" + std::to_string(between(rng, 1, 9));
  if (accepts("bandwidth=") && between(rng, 0, 1) == 1)
    spec += ",bandwidth=" + std::to_string(real(rng, 0.001, 30));
  if (accepts("pcf=") && between(rng, 0, 1) == 1) spec += ",pcf=" + std::to_string(real(rng, 0.05, 30));
  return spec;
}

struct random_case {
  std::vector<unit> units;
  workload work;
  std::string spec;
};
inline random_case draw_case(generator& rng, const scheduling::schedule_info& info) {
  std::vector<unit> units =
      random_units(rng);  // one after the other: the order of a list's elements would be, too
  workload work = random_workload(rng);
  return {std::move(units), std::move(work), random_spec(rng, info)};
}

/// Which unit ran each task of each pass; -1 where none did. `twice` holds tasks that were given out again.
struct record {
  std::vector<std::vector<int>> unit_of;  ///< [pass][task]
  int twice = 0;
  int spans_changed = 0;

  int missing() const {
    int count = 0;
    for (const auto& pass : unit_of) count += static_cast<int>(std::count(pass.begin(), pass.end(), -1));
    return count;
  }
};

using batch_time = std::function<seconds(unit_id, pass_id, std::span<const task_id>)>;

/// One unit's side of the protocol, a step at a time.
struct agent {
  unit_id id;
  pass_id pass = 0;
  std::span<const task_id> batch{};
  std::vector<task_id> copy{};

  void step(schedule& plan, record& seen, const batch_time& time) {
    if (!batch.empty()) {
      if (!std::equal(batch.begin(), batch.end(), copy.begin(), copy.end())) ++seen.spans_changed;
      plan.done(id, pass, batch, time(id, pass, batch));
      batch = {};
      return;
    }
    batch = plan.next(id, pass);
    copy.assign(batch.begin(), batch.end());
    for (const task_id task : batch) {
      int& owner = seen.unit_of[static_cast<std::size_t>(pass)][static_cast<std::size_t>(int{task})];
      if (owner != -1) ++seen.twice;
      owner = id;
    }
    if (batch.empty()) ++pass;
  }
};

/// All units run `passes` passes, their calls interleaved at random; some units are asked far more rarely, so
/// that others run many passes ahead.
inline record run_interleaved(schedule& plan, int n_tasks, int n_units, int passes, generator& rng,
                              const batch_time& time) {
  record seen;
  seen.unit_of.assign(static_cast<std::size_t>(passes),
                      std::vector<int>(static_cast<std::size_t>(n_tasks), -1));
  std::vector<agent> running;
  std::vector<double> eagerness;
  for (int u = 0; u < n_units; ++u) {
    running.push_back({.id = unit_id{u}});
    eagerness.push_back(between(rng, 0, 3) == 0 ? 0.01 : 1.0);
  }
  while (!running.empty()) {
    std::discrete_distribution<std::size_t> pick(eagerness.begin(), eagerness.end());
    const std::size_t chosen = pick(rng);
    running[chosen].step(plan, seen, time);
    if (running[chosen].pass < passes) continue;
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(chosen));
    eagerness.erase(eagerness.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  return seen;
}

/// All units in turn, with a barrier after each pass, as runtime::run(loop, body) has it.
inline record run_with_barriers(schedule& plan, int n_tasks, int n_units, int passes,
                                const batch_time& time) {
  record seen;
  seen.unit_of.assign(static_cast<std::size_t>(passes),
                      std::vector<int>(static_cast<std::size_t>(n_tasks), -1));
  std::vector<agent> agents;
  for (int u = 0; u < n_units; ++u) agents.push_back({.id = unit_id{u}});
  for (int pass = 0; pass < passes; ++pass)
    for (bool running = true; running;) {
      running = false;
      for (agent& a : agents)
        if (a.pass == pass) {
          a.step(plan, seen, time);
          running = true;
        }
    }
  return seen;
}

/// A thread for each unit, without barriers. Returns how many (pass, task) were not run exactly once.
inline int run_threads(schedule& plan, int n_tasks, int n_units, int passes, const batch_time& time) {
  std::vector<std::atomic<int>> runs(static_cast<std::size_t>(n_tasks * passes));
  std::vector<std::thread> threads;
  for (int u = 0; u < n_units; ++u)
    threads.emplace_back([&, u] {
      for (pass_id pass = 0; pass < passes; ++pass)
        for (auto batch = plan.next(unit_id{u}, pass); !batch.empty(); batch = plan.next(unit_id{u}, pass)) {
          for (const task_id task : batch) runs[static_cast<std::size_t>(pass * n_tasks + task)]++;
          plan.done(unit_id{u}, pass, batch, time(unit_id{u}, pass, batch));
        }
    });
  for (std::thread& thread : threads) thread.join();
  return static_cast<int>(std::count_if(runs.begin(), runs.end(), [](const auto& n) { return n != 1; }));
}

inline seconds no_time(unit_id, pass_id, std::span<const task_id>) { return 0; }

/// Random times, none at all, or proportional to the weights: whatever they are, no task may be lost.
inline batch_time random_times(generator& rng) {
  switch (between(rng, 0, 2)) {
    case 0:
      return no_time;
    case 1:
      return [](unit_id unit, pass_id, std::span<const task_id> batch) {
        return 1e-3 * (1 + unit) * static_cast<double>(batch.size());
      };
    default:
      return [&rng](unit_id, pass_id, std::span<const task_id>) { return real(rng, 0, 1); };
  }
}

/// Seconds proportional to the weight, with a factor per kind of unit.
inline batch_time by_weight(const workload& work, std::vector<double> seconds_per_weight) {
  return
      [&work, speeds = std::move(seconds_per_weight)](unit_id unit, pass_id, std::span<const task_id> batch) {
        double weight = 0;
        for (const task_id task : batch) weight += weight_of(work, task);
        return weight * speeds[static_cast<std::size_t>(int{unit})];
      };
}

}  // namespace driver
