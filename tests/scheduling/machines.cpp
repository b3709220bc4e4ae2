#include "machines.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

namespace machines {

namespace {

using driver::between;
using driver::generator;
using driver::real;

std::vector<double> random_weights(generator& rng, int n_tasks) {
  std::vector<double> weights;
  const int kind = between(rng, 0, 3);
  if (kind < 2) return weights;
  for (int t = 0; t < n_tasks; ++t)
    weights.push_back(kind == 2 ? real(rng, 1, 20) : std::pow(20.0, real(rng, 0, 1)));
  return weights;
}

workload random_work(generator& rng) {
  workload work;
  work.n_tasks =
      between(rng, 0, 1) == 0 ? between(rng, 1, 300) : static_cast<int>(std::pow(1024.0, real(rng, 0, 1)));
  work.weights = random_weights(rng, work.n_tasks);
  return work;
}

double mean_weight(const workload& work) {
  double sum = 0;
  for (int t = 0; t < work.n_tasks; ++t) sum += weight_of(work, task_id{t});
  return sum / work.n_tasks;
}

/// GPUs that hold less than all of the work, and bytes that go with the weight.
void limit_memory(machine& on, generator& rng) {
  std::size_t all = 0;
  for (int t = 0; t < on.work.n_tasks; ++t) {
    on.work.bytes.push_back(static_cast<std::size_t>(1000 * weight_of(on.work, task_id{t})));
    all += on.work.bytes.back();
  }
  for (unit& u : on.units)
    if (u.kind == unit_kind::gpu)
      u.memory = 1 + static_cast<std::size_t>(static_cast<double>(all) * real(rng, 0.1, 1));
}

}  // namespace

machine draw(generator& rng) {
  machine made;
  const int cpus = between(rng, 1, 64), gpus = between(rng, 0, 8);
  const double ratio = std::pow(10.0, real(rng, -1, 3)), promise = std::pow(3.0, real(rng, -1, 1));
  made.units = driver::make_units(cpus, gpus);
  made.work = random_work(rng);
  const double mean = mean_weight(made.work);
  const speed cpu{real(rng, 0, 0.1), 1 / mean};
  const speed gpu{real(rng, 0, 5) / ratio, 1 / ratio / mean};
  const double differ = between(rng, 0, 3) == 0 ? real(rng, 0, 0.1) : 0;
  for (unit& u : made.units) {
    const bool is_gpu = u.kind == unit_kind::gpu;
    if (is_gpu) u.processors = std::max(1, static_cast<int>(ratio * promise / 3));
    const double factor = 1 + real(rng, -differ, differ);
    const speed& usual = is_gpu ? gpu : cpu;
    made.speeds.push_back({usual.launch * factor, usual.per_weight * factor});
  }
  made.noise = real(rng, 0, 0.3);
  made.outliers = between(rng, 0, 1) * 0.05;
  if (gpus > 0 && between(rng, 0, 7) == 0) limit_memory(made, rng);
  return made;
}

batch_time noisy_times(const machine& on, generator& rng) {
  return [&on, &rng, usual = linear_time(on.work, on.speeds), pass_seen = pass_id{-1}, late = -1](
             unit_id unit, pass_id pass, std::span<const task_id> batch) mutable {
    if (pass != std::exchange(pass_seen, pass))
      late = real(rng, 0, 1) < on.outliers ? between(rng, 0, on.n_units() - 1) : -1;
    const double spread = std::sqrt(std::log(1 + on.noise * on.noise));
    const double factor = std::lognormal_distribution{-spread * spread / 2, spread}(rng);
    const bool is_late = late == int{unit};
    if (is_late) late = -1;
    return usual(unit, pass, batch) * factor * (is_late ? 10 : 1);
  };
}

seconds true_time(const handed_out& pass, const machine& on) {
  using free_at = std::pair<seconds, std::size_t>;
  std::priority_queue<free_at, std::vector<free_at>, std::greater<>> sharing;
  for (std::size_t u = 0; u < on.units.size(); ++u)
    if (!on.is_gpu(u)) sharing.emplace(0, u);
  std::vector<seconds> own(on.units.size());
  seconds end = 0;
  for (const handed_out::batch& one : pass.batches) {
    auto u = static_cast<std::size_t>(int{one.unit});
    const bool is_shared = pass.cpus_share && !on.is_gpu(u);
    seconds begin = own[u];
    if (is_shared) {
      std::tie(begin, u) = sharing.top();
      sharing.pop();
    }
    const seconds done = begin + on.speeds[u].launch + on.speeds[u].per_weight * one.weight;
    if (is_shared)
      sharing.emplace(done, u);
    else
      own[u] = done;
    end = std::max(end, done);
  }
  return end;
}

outcome run(const char* schedule, const machine& on, generator& rng, int passes) {
  const auto plan = scheduling::make(schedule, on.work, on.units);
  std::vector<handed_out> seen(static_cast<std::size_t>(passes));
  std::vector<std::vector<unit_id>> maps;
  const batch_time noisy = noisy_times(on, rng);
  const auto ran = simulate(
      *plan, on.work, on.n_units(),
      [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
        if (static_cast<std::size_t>(pass) == maps.size()) {
          const pass_plan known = plan->plan_of(pass);
          maps.push_back(known.map);
          seen[static_cast<std::size_t>(pass)].cpus_share = known.cpus_share;
        }
        double weight = 0;
        for (const task_id task : batch) weight += weight_of(on.work, task);
        seen[static_cast<std::size_t>(pass)].batches.push_back({unit, weight});
        return noisy(unit, pass, batch);
      },
      passes);
  outcome of;
  for (const handed_out& pass : seen) of.shares.push_back(true_time(pass, on));
  const seconds best = std::min(best_of(on).found, *std::ranges::min_element(of.shares));
  for (double& share : of.shares) share = best / share;
  constexpr int learned = 10;
  of.by_clock = best * (passes - learned) / (ran.back().end - ran[learned].begin);
  for (std::size_t p = 1; p < maps.size(); ++p) of.changes += maps[p] != maps[p - 1] ? 1 : 0;
  return of;
}

int longest_below(const std::vector<double>& shares, double bar) {
  int longest = 0, now = 0;
  for (const double share : shares) longest = std::max(longest, now = share < bar ? now + 1 : 0);
  return longest;
}

}  // namespace machines
