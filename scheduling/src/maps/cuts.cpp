#include "cuts.hpp"

#include "exchanges.hpp"
#include "finish.hpp"
#include "gpu_regions.hpp"
#include "hybrid_split.hpp"
#include "longest_first.hpp"
#include "map_choice.hpp"
#include "memory_limits.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace yoke::scheduling {

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
    double missing = left * own / rate;
    for (; at < work.n_tasks; ++at) {
      const double weight = weight_of(work, task_id{at});
      if (g != gpus.back() && missing < weight / 2) break;
      missing -= weight;
      left -= weight;
      shares[g].push_back(task_id{at});
    }
    rate -= own;
  }
  return shares;
}

assignment longest_to_fastest(int first, const workload& work, const task_orders& orders,
                              std::span<const std::size_t> gpus, std::span<const speed> speeds) {
  assignment shares(speeds.size());
  std::vector<seconds> load(speeds.size());
  for (const task_id task : orders.longest_first()) {
    if (task < task_id{first}) continue;
    const auto finish = [&](std::size_t g) {
      return load[g] + (load[g] == 0 ? speeds[g].launch : 0) + speeds[g].per_weight * weight_of(work, task);
    };
    const std::size_t g = *std::ranges::min_element(gpus, {}, finish);
    load[g] = finish(g);
    shares[g].push_back(task);
  }
  put_neighbours_together(shares, orders);
  return shares;
}

/// What units with neighbouring tasks may need more than others, for having fewer faces between them.
constexpr double worth_of_neighbours = 1.005;
/// The same of what CPU CUs take from GPU CUs, where tasks are known to exchange anything: BT-MZ class D
/// beside two H200s took a tenth longer with 54 of 1024 zones on CPU CUs that lay apart.
constexpr double worth_of_one_piece = 1.05;

/// CPU CUs that share make up for what varies more than is known.
constexpr double worth_of_sharing = 1.005;

void keep_if_as_good(assignment& consecutive, assignment others, const workload& work,
                     std::span<const unit> units, std::span<const speed> speeds) {
  const seconds here = makespan_of(consecutive, work, units, speeds),
                there = makespan_of(others, work, units, speeds);
  if (here > worth_of_neighbours * there) consecutive = std::move(others);
}

/// How much slower than they are CPU CUs are taken for: how many tasks they get.
constexpr std::array cautions{0.8, 1.0, 1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 3.0};

/// With more of them for each CPU CU a pool is as good as any map.
constexpr std::size_t few_tasks = 5;

/// Pools between those: longest-first knows only as many as all CPU CUs do in time.
constexpr int parts_of_pool = 12;

std::vector<speed> cautious(std::span<const unit> units, std::span<const speed> speeds, double factor) {
  std::vector<speed> slower{speeds.begin(), speeds.end()};
  for (const std::size_t u : units_of(unit_kind::cpu, units)) {
    slower[u].launch *= factor;
    slower[u].per_weight *= factor;
  }
  return slower;
}

/// As many of the first tasks as come nearest to the weight that CPU CUs have in `shares`.
int cut_like(const assignment& shares, const workload& work, std::span<const unit> units) {
  double missing = 0;
  for (const std::size_t u : units_of(unit_kind::cpu, units)) missing += weight_of(work, shares[u]);
  int n = 0;
  for (; n < work.n_tasks; ++n) {
    const double weight = weight_of(work, task_id{n});
    if (missing < weight / 2) break;
    missing -= weight;
  }
  return n;
}

/// Consecutive tasks for each GPU CU as far as that costs less than 1%.
assignment plain_cut(int n, const workload& work, const task_orders& orders, std::span<const unit> units,
                     std::span<const speed> speeds) {
  const std::vector<std::size_t> cpus = units_of(unit_kind::cpu, units),
                                 gpus = units_of(unit_kind::gpu, units);
  assignment shares(units.size());
  if (!gpus.empty()) {
    shares = consecutive(n, work, gpus, speeds);
    if (gpus.size() > 1)
      keep_if_as_good(shares, longest_to_fastest(n, work, orders, gpus, speeds), work, units, speeds);
  }
  if (cpus.empty()) return shares;
  const std::vector<task_range> pool = split({0, n}, work, static_cast<int>(cpus.size()));
  for (std::size_t i = 0; i < cpus.size(); ++i)
    for (int task = pool[i].first; task < pool[i].last; ++task) shares[cpus[i]].push_back(task_id{task});
  return shares;
}

/// Cuts and maps of longest-first, for CPU CUs that are taken for as fast as they are, and for slower ones.
class map_offers {
 public:
  map_offers(const workload& work, std::span<const unit> units, const forecast& model, map_family among)
      : work_{work},
        units_{units},
        model_{model},
        among_{among},
        has_gpus_{!units_of(unit_kind::gpu, units).empty()},
        is_offered_(static_cast<std::size_t>(work.n_tasks) + 1),
        cuts_{model, among == map_family::own_tasks ? cpu_tasks::own : cpu_tasks::shared,
              among != map_family::any},
        pools_{model, cpu_tasks::shared},
        fixed_{model, cpu_tasks::own, among != map_family::any} {
    int most = 0;
    for (const double caution : cautions) most = std::max(most, offer(caution));
    if (has_gpus_ && work.waits_late)
      for (const double caution : cautions) offer_cut(cut_by_rates(caution));
    for (int part = 1; part < parts_of_pool; ++part) offer_cut(most * part / parts_of_pool);
  }

  std::optional<shared_map> take(gpu_cut among_gpus) const {
    std::optional<shared_map> best = best_of_all();
    if (!best || !has_gpus_ || among_gpus == gpu_cut::consecutive) return best;
    assignment cut = with_gpu_regions(best->shares, work_, units_, model_.speeds());
    if (auto fitting = try_fit(std::move(cut), work_, units_)) best->shares = *std::move(fitting);
    return best;
  }

 private:
  std::optional<shared_map> best_of_all() const {
    // One task each leaves nothing to share: whoever is early would have what lies in the cache of another.
    if (!has_gpus_ && static_cast<std::size_t>(work_.n_tasks) <= units_.size())
      if (std::optional<shared_map> own = fixed_.take()) return own;
    const bool is_apart = has_gpus_ && !work_.edges.empty();
    const double worth = is_apart ? worth_of_one_piece : worth_of_neighbours;
    if (cuts_.least() <= worth * std::min(pools_.least(), fixed_.least())) return cuts_.take();
    return pools_.least() <= worth_of_sharing * fixed_.least() ? pools_.take() : fixed_.take();
  }

  void offer_cut(int n) {
    if (!has_gpus_ && n != work_.n_tasks) return;
    if (std::exchange(is_offered_[static_cast<std::size_t>(n)], char{1}) != 0) return;
    assignment shares = plain_cut(n, work_, model_.orders(), units_, model_.speeds());
    if (among_ == map_family::own_tasks) shares = one_by_one(std::move(shares));
    cuts_.offer(try_fit(std::move(shares), work_, units_));
  }

  /// CPU CUs that are never idle need as long as GPU CUs do: between the rounds of a pool, where they may be
  /// late.
  int cut_by_rates(double caution) const {
    const double of_cpus = model_.rate(unit_kind::cpu) / caution;
    return tasks_within(work_, of_cpus / (of_cpus + model_.rate(unit_kind::gpu)));
  }

  /// The pool dealt out to the CPU CUs, each task to the one that finishes it first.
  assignment one_by_one(assignment shares) const {
    const std::vector<std::size_t> cpus = units_of(unit_kind::cpu, units_);
    const std::vector<speed>& speeds = model_.speeds();
    std::vector<task_id> pool;
    for (const std::size_t u : cpus) {
      pool.insert(pool.end(), shares[u].begin(), shares[u].end());
      shares[u].clear();
    }
    std::vector<double> weights(units_.size());
    for (const task_id task : model_.orders().longest_first(pool)) {
      const double weight = weight_of(work_, task);
      const std::size_t to = *std::ranges::min_element(cpus, {}, [&](std::size_t u) {
        return finish_of(units_[u], speeds[u], weights[u] + weight, shares[u].size() + 1);
      });
      weights[to] += weight;
      shares[to].push_back(task);
    }
    put_neighbours_together(shares, model_.orders());
    return shares;
  }

  /// How many tasks the CPU CUs have by longest-first.
  int offer(double caution) {
    const std::vector<speed> slower = cautious(units_, model_.speeds(), caution);
    plan_with_makespan free = plan_longest_first(work_, model_.orders(), units_, slower);
    const int n = has_gpus_ ? cut_like(free.shares, work_, units_) : work_.n_tasks;
    for (int near = std::max(0, n - 1); near <= std::min(work_.n_tasks, n + 1); ++near) offer_cut(near);
    if (among_ == map_family::pools) return n;
    exchange_tasks(free.shares, work_, units_, slower);
    put_neighbours_together(free.shares, model_.orders());
    const std::optional<assignment> fitting = try_fit(std::move(free.shares), work_, units_);
    if (among_ == map_family::any) pools_.offer(fitting);
    fixed_.offer(fitting);
    return n;
  }

  const workload& work_;
  std::span<const unit> units_;
  const forecast& model_;
  map_family among_;
  bool has_gpus_;
  std::vector<char> is_offered_;  ///< by cut
  map_choice cuts_, pools_, fixed_;
};

}  // namespace

assignment cut_at(int n, const workload& work, std::span<const unit> units, std::span<const speed> speeds,
                  gpu_cut among_gpus) {
  return cut_at(n, work, units, forecast{work, units, {.usual = {speeds.begin(), speeds.end()}}}, among_gpus);
}

assignment cut_at(int n, const workload& work, std::span<const unit> units, const forecast& model,
                  gpu_cut among_gpus) {
  assignment shares = plain_cut(n, work, model.orders(), units, model.speeds());
  if (among_gpus == gpu_cut::consecutive) return shares;
  return with_gpu_regions(std::move(shares), work, units, model.speeds());
}

std::optional<shared_map> best_shared(const workload& work, std::span<const unit> units,
                                      const forecast& model, map_family among, gpu_cut among_gpus) {
  if (units_of(unit_kind::cpu, units).empty()) return std::nullopt;
  return map_offers{work, units, model, among}.take(among_gpus);
}

bool are_few_for_cpus(const workload& work, std::span<const unit> units) {
  return static_cast<std::size_t>(work.n_tasks) <= few_tasks * units_of(unit_kind::cpu, units).size();
}

std::optional<assignment> own_tasks_of_cpus(const workload& work, std::span<const unit> units,
                                            const forecast& model) {
  const std::vector<std::size_t> cpus = units_of(unit_kind::cpu, units);
  std::vector<unit> alone;
  unit_speeds speeds = model.told();
  speeds.usual.clear();
  for (const std::size_t u : cpus) {
    alone.push_back(units[u]);
    speeds.usual.push_back(model.speeds()[u]);
  }
  std::optional<shared_map> best =
      best_shared(work, alone, forecast{work, alone, std::move(speeds)}, map_family::own_tasks);
  if (!best) return std::nullopt;
  assignment shares(units.size());
  for (std::size_t i = 0; i < cpus.size(); ++i) shares[cpus[i]] = std::move(best->shares[i]);
  return shares;
}

std::optional<shared_map> best_or_gpus(const workload& work, std::span<const unit> units,
                                       const forecast& model, map_family among) {
  std::optional<shared_map> best = best_shared(work, units, model, among);
  if (units_of(unit_kind::gpu, units).empty()) return best;
  std::optional<assignment> gpus = try_fit(cut_at(0, work, units, model), work, units);
  if (!gpus) return best;
  if (best && model.insured(best->shares, best->cpus) < model.insured(*gpus, best->cpus)) return best;
  return shared_map{*std::move(gpus), best ? best->cpus : cpu_tasks::shared};
}

}  // namespace yoke::scheduling
