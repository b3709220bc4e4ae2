#include "forecast.hpp"

#include "finish.hpp"
#include "latest.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <queue>
#include <utility>

namespace yoke::scheduling {

namespace {

/// What a pass takes longer where CPUs and GPUs wait for each other's results: with 22 to 28 zones of SP-MZ
/// class D on 30 CPUs beside two H200s, whose other zones do not wait for them.
constexpr seconds both_kinds = 3e-5;

/// And where several GPUs wait for each other's: SP-MZ classes W to C on two H200s take 60 µs more than half
/// of what one takes.
constexpr seconds between_gpus = 6e-5;

/// How much of the noise that was measured CPU CUs are given slack for: all of it costs more where they have
/// one or two tasks each than it gains elsewhere.
constexpr double share_of_noise = 0.25;

/// A pool's CU that is late is waited for half a task on average, if no other bound is less.
constexpr double most_late = 0.5;

/// Where GPUs wait late, CPU CUs may be late by so much of a pass at most, and wait for each other and for
/// GPUs for so much of a task; as their work may not be more than GPUs', it counts with the error of their
/// speed. 15 CPUs that take 4 ms for a zone of SP-MZ class D, of which an H200 has all
/// in 9.4, hold it up with 32 zones never, with 33 now and then, and with 35 in every pass.
constexpr double most_of_lateness = 0.5, waits_of_task = 0.2;

/// Of a pass, worth less than what is left to CPU CUs.
constexpr double slack = 1.005, slack_where_late = 1.002;

/// Mean of the later of two events that are `a` and `b` on average, `deviation` that of their distance.
seconds mean_of_later(seconds a, seconds b, seconds deviation) {
  const seconds later = std::max(a, b);
  if (!(deviation > 0)) return later;
  const double z = std::abs(a - b) / deviation;
  const double density = std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  return later + deviation * (density - z * std::erfc(z / std::numbers::sqrt2) / 2);
}

std::vector<task_id> pool_of(const assignment& shares, std::span<const std::size_t> cpus) {
  std::vector<task_id> pool;
  for (const std::size_t u : cpus) pool.insert(pool.end(), shares[u].begin(), shares[u].end());
  return pool;
}

double rate_of(unit_kind kind, std::span<const speed> speeds, std::span<const unit> units) {
  double rate = 0;
  for (const std::size_t u : units_of(kind, units)) rate += 1 / speeds[u].per_weight;
  return rate;
}

}  // namespace

forecast::forecast(const workload& work, std::span<const unit> units, unit_speeds speeds,
                   std::shared_ptr<const task_orders> orders)
    : work_{work},
      units_{units},
      speeds_{std::move(speeds)},
      cpus_{units_of(unit_kind::cpu, units)},
      orders_{orders ? std::move(orders) : std::make_shared<const task_orders>(work)} {}

seconds forecast::of(const assignment& shares, cpu_tasks cpus) const {
  return with(shares, cpus, share_of_noise * speeds_.cpu_spread);
}

seconds forecast::insured(const assignment& shares, cpu_tasks cpus) const {
  return with(shares, cpus, std::max(speeds_.cpu_spread, least_spread_of_cpus));
}

seconds forecast::noisy(const assignment& shares, cpu_tasks cpus) const {
  const auto gpus_in_use = std::ranges::count_if(units_of(unit_kind::gpu, units_),
                                                 [&](std::size_t gpu) { return !shares[gpu].empty(); });
  const double latest =
      1 + share_of_noise * speeds_.gpu_spread * excess_of_latest(static_cast<double>(gpus_in_use));
  const double varies = cpus == cpu_tasks::own ? 1 : share_of_noise;  // a pool makes up for the rest
  const finish end = of_cpus(shares, cpus, varies * speeds_.cpu_spread);
  const seconds gpus = latest * of_gpus(shares);
  if (gpus == 0 || end.usual == 0) return std::max(gpus, end.usual);
  const seconds usual =
      mean_of_later(gpus, end.usual, std::hypot(end.deviation, speeds_.gpu_spread * gpus / 2));
  const double chance = chance_of_late(shares);
  return both_kinds + (1 - chance) * usual + chance * std::max(usual, end.usual + speeds_.late.by);
}

double forecast::rate(unit_kind kind) const { return rate_of(kind, speeds_.usual, units_); }

seconds forecast::of_gpus(const assignment& shares) const {
  seconds end = 0;
  int in_use = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (units_[u].kind != unit_kind::gpu || shares[u].empty()) continue;
    ++in_use;
    end =
        std::max(end, finish_of(units_[u], speeds_.usual[u], weight_of(work_, shares[u]), shares[u].size()));
  }
  return end + (in_use > 1 ? between_gpus : 0);
}

/// Beside GPUs a CU gets several at once only where there are some for each of its CPUs, see pool_batches.
seconds forecast::of_list(std::span<const task_id> pool, bool beside_gpus) const {
  using free_at = std::pair<seconds, std::size_t>;
  std::priority_queue<free_at, std::vector<free_at>, std::greater<>> free;
  for (const std::size_t u : cpus_) free.emplace(0, u);
  seconds end = 0;
  for (std::size_t at = 0; at < pool.size();) {
    const auto [now, u] = free.top();
    free.pop();
    const std::size_t left = pool.size() - at;
    const std::size_t most = beside_gpus ? left / (rounds_beside_gpus * cpus_.size()) : left;
    const std::size_t size = std::clamp<std::size_t>(most, 1, static_cast<std::size_t>(units_[u].cpus));
    const speed& own = speeds_.usual[u];
    const seconds done = now + own.launch + own.per_weight * weight_of(work_, pool.subspan(at, size));
    at += size;
    end = std::max(end, done);
    free.emplace(done, u);
  }
  return end;
}

/// Noise in many tasks of one CU makes up for itself in part; the latest CU is waited for.
forecast::finish forecast::of_own(const assignment& shares, double spread) const {
  finish latest;
  double busy = 0;
  for (const std::size_t u : cpus_) {
    if (shares[u].empty()) continue;
    const seconds usual =
        finish_of(units_[u], speeds_.usual[u], weight_of(work_, shares[u]), shares[u].size());
    const seconds deviation = spread * usual / std::sqrt(static_cast<double>(shares[u].size()));
    latest = {std::max(latest.usual, usual), std::max(latest.deviation, deviation)};
    busy += usual;
  }
  const double alike = latest.usual > 0 ? busy / latest.usual : 0;  // CUs that are about as late
  latest.usual += latest.deviation * excess_of_latest(alike);
  return {latest.usual, latest.deviation / 2};
}

double forecast::may_be_late(const assignment& shares) const {
  if (!work_.waits_late || tasks_on(unit_kind::gpu, shares, units_) == 0) return 0;
  std::vector<char> is_seen(static_cast<std::size_t>(work_.n_tasks));
  double of_gpus = weight_of(work_, all_tasks(work_.n_tasks)), beside_cpus = 0;
  for (const std::size_t u : cpus_) {
    for (const task_id task : shares[u]) is_seen[index(task)] = 1;
    of_gpus -= weight_of(work_, shares[u]);
  }
  for (const std::size_t u : cpus_)
    for (const task_id task : shares[u])
      for (const neighbour& other : orders_->graph()->neighbours(task))
        if (std::exchange(is_seen[static_cast<std::size_t>(other.task)], 1) == 0)
          beside_cpus += weight_of(work_, task_id{other.task});
  return std::clamp(1 - beside_cpus / of_gpus, 0.0, most_of_lateness);
}

double forecast::worth_of_slack(const assignment& shares) const {
  return may_be_late(shares) > 0 ? slack_where_late : slack;
}

forecast::finish forecast::of_pool(const assignment& shares, std::vector<task_id> pool, double spread) const {
  pool = orders_->longest_first(pool);
  double rate = 0;
  seconds launch = 0;
  for (const std::size_t u : cpus_) {
    rate += 1 / speeds_.usual[u].per_weight;
    launch = std::max(launch, speeds_.usual[u].launch);
  }
  const auto units = static_cast<double>(cpus_.size()), n = static_cast<double>(pool.size());
  const auto time_of = [&](task_id task) { return launch + weight_of(work_, task) * units / rate; };
  const seconds last_task = time_of(pool.back()), longest = time_of(pool.front());
  const double each = std::sqrt(std::max(1.0, n / units));
  const seconds fluid = weight_of(work_, pool) / rate + launch * n / units;
  const double late = std::min(most_late, spread * each * excess_of_latest(std::min(units, n)));
  const seconds deviation = spread * std::min(each, 2.0) * last_task / 2;
  const seconds end = of_list(pool, tasks_on(unit_kind::gpu, shares, units_) > 0);
  const double lateness = may_be_late(shares);
  if (lateness == 0) return {std::max(end, fluid + late * last_task), deviation};
  const seconds waits = waits_of_task * longest + (1 - lateness) * late * last_task;
  return {std::max({longest, end / (1 + lateness), fluid * (1 + speeds_.cpu_error) + waits}), deviation};
}

forecast::finish forecast::of_cpus(const assignment& shares, cpu_tasks cpus, double spread) const {
  std::vector<task_id> pool = pool_of(shares, cpus_);
  if (pool.empty()) return {};
  if (cpus == cpu_tasks::own) return of_own(shares, spread);
  return of_pool(shares, std::move(pool), spread);
}

seconds forecast::with(const assignment& shares, cpu_tasks cpus, double spread) const {
  const seconds gpus = of_gpus(shares);
  const finish end = of_cpus(shares, cpus, spread);
  if (gpus == 0 || end.usual == 0) return std::max(gpus, end.usual);
  const seconds usual = mean_of_later(
      gpus, end.usual, std::hypot(end.deviation, share_of_noise * speeds_.gpu_spread * gpus / 2));
  const double chance = chance_of_late(shares);
  return both_kinds + (1 - chance) * usual + chance * std::max(usual, end.usual + speeds_.late.by);
}

/// Of any batch of CPU CUs, each of which is a task.
double forecast::chance_of_late(const assignment& shares) const {
  return 1 - std::pow(1 - speeds_.late.chance_of_batch, tasks_on(unit_kind::cpu, shares, units_));
}

}  // namespace yoke::scheduling
