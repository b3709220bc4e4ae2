/// What is true of any schedule, and what this one is for: on machines drawn at random, in virtual time, and
/// with threads.
#include "weighted_factoring.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdio>
#include <exception>
#include <random>
#include <thread>

#include <yoke/simulated_machine.hpp>

namespace {

using generator = std::mt19937;

int whole(generator& random, int least, int most) {
  return std::uniform_int_distribution{least, most}(random);
}
double real(generator& random, double least, double most) {
  return std::uniform_real_distribution{least, most}(random);
}

yoke::simulated_machine any_machine(generator& random) {
  yoke::simulated_machine on;
  const int units = whole(random, 1, 8);
  for (int u = 0; u < units; ++u)
    on.units.push_back({.alone = {.launch = real(random, 0, 0.1), .per_weight = real(random, 0.1, 2)},
                        .noise = real(random, 0, 0.3)});
  return on;
}

yoke::workload any_tasks(generator& random) {
  yoke::workload work{.n_tasks = whole(random, 0, 300)};
  for (int task = 0; task < work.n_tasks; ++task) work.weights.push_back(real(random, 0.5, 2));
  return work;
}

/// The simulator throws where a task comes twice, never, or does not exist.
void each_task_runs_once() {
  generator random{1};
  for (int round = 0; round < 200; ++round) {
    const yoke::simulated_machine on = any_machine(random);
    const yoke::workload work = any_tasks(random);
    for (const auto order :
         {yoke::pass_order::barrier, yoke::pass_order::overlapping, yoke::pass_order::dataflow}) {
      weighted_factoring plan{work, on.seen()};
      yoke::simulate(plan, work, on, {.passes = 4, .order = order});
    }
  }
}

/// Passes beside the shortest possible; speeds are known from the second pass on.
int wins_over_equal_shares() {
  const yoke::simulated_machine on{.units = {{.alone = {0, 1}}, {.alone = {0, 1}}, {.alone = {0, 0.1}}}};
  const yoke::workload work{.n_tasks = 600};
  weighted_factoring plan{work, on.seen()};
  const auto passes = yoke::simulate(plan, work, on, {.passes = 3});
  const double over_best = passes.back().makespan() / yoke::best_of(on, work).bound;
  std::printf("three units, one ten times as fast: %.3f of the shortest pass\n", over_best);
  return over_best < 1.05 ? 0 : 1;
}

/// What the simulator cannot see: units that ask at the same time.
int threads_share_the_tasks() {
  constexpr int n_units = 4, n_tasks = 20000, passes = 50;
  weighted_factoring plan{{.n_tasks = n_tasks}, std::vector<yoke::unit>(n_units)};
  std::vector<std::atomic<int>> runs(n_tasks);
  std::barrier all_are_there{n_units};
  const auto unit_runs = [&](yoke::unit_id unit) {
    all_are_there.arrive_and_wait();
    for (yoke::pass_id pass = 0; pass < passes; ++pass)
      for (auto batch = plan.next(unit, pass); !batch.empty(); batch = plan.next(unit, pass)) {
        for (const int task : batch) ++runs[static_cast<std::size_t>(task)];
        plan.done(unit, pass, batch, 1e-6);
      }
  };
  std::vector<std::jthread> threads;
  for (int u = 0; u < n_units; ++u) threads.emplace_back(unit_runs, yoke::unit_id{u});
  threads.clear();  // waits for them
  const auto wrong = std::ranges::count_if(runs, [](const auto& n) { return n != passes; });
  std::printf("four threads, fifty passes: %ld tasks not run once in each\n", static_cast<long>(wrong));
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main() try {
  each_task_runs_once();
  std::printf("200 machines: each task once in every pass\n");
  return wins_over_equal_shares() + threads_share_the_tasks();
} catch (const std::exception& problem) {
  std::fprintf(stderr, "your schedule: %s\n", problem.what());
  return 1;
}
