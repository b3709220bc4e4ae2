#include "forecast.hpp"

#include "longest_first.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

namespace yoke::scheduling {

namespace {

/// What CPU CUs are left beside GPUs, in tasks of usual weight: they do not all begin a pass at once, and one
/// that is late in one pass begins the next late. SP-MZ class D beside an H200, 15 CPUs of two zones each or
/// a few less: with less room the GPU waited in some runs, up to 5% of the time.
constexpr double room_in_tasks = 0.45;

/// What a pass takes longer where CPUs and GPUs wait for each other's results: SP-MZ with one zone of class C
/// beside an H200 on a CPU.
constexpr seconds both_kinds = 1e-4;

std::vector<double> weights_before(const workload& work) {
  std::vector<double> sums(static_cast<std::size_t>(work.n_tasks) + 1);
  for (int task = 0; task < work.n_tasks; ++task)
    sums[static_cast<std::size_t>(task) + 1] =
        sums[static_cast<std::size_t>(task)] + weight_of(work, task_id{task});
  return sums;
}

}  // namespace

forecast::forecast(const workload& work, std::span<const unit> units, unit_speeds speeds)
    : work_{work},
      units_{units},
      speeds_{std::move(speeds)},
      cpus_{units_of(unit_kind::cpu, units)},
      gpus_{units_of(unit_kind::gpu, units)},
      before_{weights_before(work)} {}

seconds forecast::of_one_gpu(std::size_t gpu) const {
  return speeds_.usual[gpu].launch + speeds_.usual[gpu].per_weight * before_.back();
}

/// Tasks are many or the cut is even, so that each GPU CU has what its speed gives it.
seconds forecast::of_gpus(int n) const {
  const double weight = before_.back() - before_[static_cast<std::size_t>(n)];
  if (n == work_.n_tasks) return 0;
  double rate = 0;
  seconds launch = 0;
  for (const std::size_t g : gpus_) {
    rate += 1 / speeds_.usual[g].per_weight;
    launch = std::max(launch, speeds_.usual[g].launch);
  }
  return launch + weight / rate;
}

seconds forecast::of_pool(int n) const {
  const std::vector<speed>& speeds = speeds_.usual;
  std::vector<task_id> tasks = all_tasks(n);
  if (!has_equal_weights(work_)) tasks = longest_first(std::move(tasks), work_);
  using free_at = std::pair<seconds, std::size_t>;
  std::priority_queue<free_at, std::vector<free_at>, std::greater<>> units;
  for (const std::size_t u : cpus_) units.emplace(0, u);
  seconds end = 0;
  for (std::size_t at = 0; at < tasks.size();) {
    const auto [now, u] = units.top();
    units.pop();
    const std::size_t size = std::min(tasks.size() - at, static_cast<std::size_t>(units_[u].cpus));
    const double weight = weight_of(work_, std::span{tasks}.subspan(at, size));
    at += size;
    const seconds done = now + speeds[u].launch + speeds[u].per_weight * weight;
    end = std::max(end, done);
    units.emplace(done, u);
  }
  return end;
}

/// Tasks that vary make up for each other, the more of them a CU runs.
seconds forecast::of_cut(int n) const {
  if (n == 0) return of_gpus(0);
  const seconds pool = of_pool(n);
  if (n == work_.n_tasks) return pool;
  double rate = 0, careful_rate = 0;
  for (const std::size_t u : cpus_) {
    rate += 1 / speeds_.usual[u].per_weight;
    careful_rate += 1 / speeds_.careful[u].per_weight;
  }
  const double weight = before_[static_cast<std::size_t>(n)];
  const double units = static_cast<double>(cpus_.size());
  const seconds task = weight / n * units / rate;
  const double tasks_each = std::max(1.0, n / units);
  const seconds late = (rate / careful_rate - 1) * std::sqrt(tasks_each) * task;
  return both_kinds + std::max({of_gpus(n), pool + late, weight / rate + room_in_tasks * task});
}

/// Of a longer pool the CPUs take longer and the GPUs less: the best cut is near where the two are equal.
std::optional<int> forecast::best_cut() const {
  if (cpus_.empty() || gpus_.empty() || work_.n_tasks < 2) return std::nullopt;
  int low = 1, high = work_.n_tasks - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (of_cut(middle) > both_kinds + of_gpus(middle))
      high = middle;
    else
      low = middle + 1;
  }
  const int around = std::min(64, 2 * static_cast<int>(cpus_.size()));
  int best = low;
  for (int n = std::max(1, low - around); n <= std::min(work_.n_tasks - 1, low + around); ++n)
    if (of_cut(n) < of_cut(best)) best = n;
  return best;
}

namespace {

/// Consecutive tasks for each GPU CU, as much as its speed gives it.
assignment consecutive(int first, const workload& work, std::span<const std::size_t> gpus,
                       std::span<const speed> speeds) {
  assignment shares(speeds.size());
  double left = 0, rate = 0;
  for (int task = first; task < work.n_tasks; ++task) left += weight_of(work, task_id{task});
  for (const std::size_t g : gpus) rate += 1 / speeds[g].per_weight;
  int at = first;
  for (const std::size_t g : gpus) {
    const double own = 1 / speeds[g].per_weight;
    double room = left * own / rate;
    for (; at < work.n_tasks; ++at) {
      const double weight = weight_of(work, task_id{at});
      if (g != gpus.back() && room < weight / 2) break;
      room -= weight;
      left -= weight;
      shares[g].push_back(task_id{at});
    }
    rate -= own;
  }
  return shares;
}

assignment longest_to_fastest(int first, const workload& work, std::span<const std::size_t> gpus,
                              std::span<const speed> speeds) {
  assignment shares(speeds.size());
  std::vector<seconds> load(speeds.size());
  std::vector<task_id> tasks = all_tasks(work.n_tasks);
  tasks.erase(tasks.begin(), tasks.begin() + first);
  for (const task_id task : longest_first(std::move(tasks), work)) {
    const auto finish = [&](std::size_t g) { return load[g] + speeds[g].per_weight * weight_of(work, task); };
    const std::size_t g = *std::ranges::min_element(gpus, {}, finish);
    load[g] = finish(g);
    shares[g].push_back(task);
  }
  put_neighbours_together(shares, work);
  return shares;
}

seconds longest_share(const assignment& shares, const workload& work, std::span<const speed> speeds) {
  seconds longest = 0;
  for (std::size_t u = 0; u < shares.size(); ++u)
    longest = std::max(longest, speeds[u].per_weight * weight_of(work, shares[u]));
  return longest;
}

/// What GPU CUs with neighbouring tasks may need more than others, for having fewer faces between them.
constexpr double worth_of_neighbours = 1.01;

}  // namespace

assignment cut_at(int n, const workload& work, std::span<const unit> units, std::span<const speed> speeds) {
  const std::vector<std::size_t> cpus = units_of(unit_kind::cpu, units),
                                 gpus = units_of(unit_kind::gpu, units);
  assignment shares(units.size());
  if (!gpus.empty()) {
    shares = consecutive(n, work, gpus, speeds);
    assignment others = longest_to_fastest(n, work, gpus, speeds);
    if (longest_share(shares, work, speeds) > worth_of_neighbours * longest_share(others, work, speeds))
      shares = std::move(others);
  }
  if (cpus.empty()) return shares;
  const std::vector<task_range> pool = split({0, n}, work, static_cast<int>(cpus.size()));
  for (std::size_t i = 0; i < cpus.size(); ++i)
    for (int task = pool[i].first; task < pool[i].last; ++task) shares[cpus[i]].push_back(task_id{task});
  return shares;
}

}  // namespace yoke::scheduling
