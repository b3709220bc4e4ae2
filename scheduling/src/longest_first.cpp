#include "longest_first.hpp"

#include "memory_limits.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

namespace yoke::scheduling {

namespace {

/// Standard deviation of a CPU CU's time, as a part of it: the same zone of SP-MZ class D on the same of 15
/// busy CPUs of a virtual machine beside an H200 took 3.3 to 4.2 ms in different runs, and within a run
/// neighbours delay each other.
constexpr double cpu_spread = 0.15;

/// When each unit finishes.
class load_model {
 public:
  load_model(std::span<const unit> units, std::span<const speed> speeds)
      : units_{units}, speeds_{speeds}, load_(units.size()) {}

  /// With one task more: some units launch once for all of their tasks, others for each.
  seconds finish(std::size_t unit, double weight) const {
    const bool launches = !takes_whole_shares(units_[unit]) || load_[unit] == 0;
    return load_[unit] + (launches ? speeds_[unit].launch : 0) + speeds_[unit].per_weight * weight;
  }
  void add(std::size_t unit, double weight) { load_[unit] = finish(unit, weight); }
  void remove(std::size_t unit, double weight, bool was_last) {
    const bool launched = !takes_whole_shares(units_[unit]) || was_last;
    load_[unit] -= (launched ? speeds_[unit].launch : 0) + speeds_[unit].per_weight * weight;
  }
  seconds load(std::size_t unit) const { return load_[unit]; }
  seconds makespan() const { return *std::max_element(load_.begin(), load_.end()); }

  /// The makespan and what is waited for CPU CUs on average, one by one: an upper bound of their mean
  /// maximum.
  seconds expected_makespan() const {
    const seconds makespan = this->makespan();
    seconds sum = makespan;
    for (std::size_t u = 0; u < load_.size(); ++u)
      if (units_[u].kind == unit_kind::cpu) sum += expected_lateness(load_[u], makespan);
    return sum;
  }

 private:
  std::span<const unit> units_;
  std::span<const speed> speeds_;
  std::vector<seconds> load_;
};

/// Moves tasks from CPU CUs to GPU CUs.
class slack_maker {
 public:
  slack_maker(assignment& shares, const workload& work, std::span<const unit> units,
              std::span<const speed> speeds)
      : shares_{shares}, work_{work}, units_{units}, load_{units, speeds}, limits_{work, units} {
    for (std::size_t u = 0; u < shares_.size(); ++u)
      for (const task_id task : shares_[u]) {
        load_.add(u, weight_of(work_, task));
        limits_.take(task, unit_id{static_cast<int>(u)});
      }
  }

  /// Whether the lightest task of `cpu` has gone to a GPU CU.
  bool relieve(std::size_t cpu) {
    std::vector<task_id>& own = shares_[cpu];
    if (own.empty()) return false;
    const auto lightest = std::min_element(own.begin(), own.end(), [&](task_id a, task_id b) {
      return std::pair{weight_of(work_, a), b} < std::pair{weight_of(work_, b), a};
    });
    const std::optional<std::size_t> gpu = taker_of(*lightest);
    if (!gpu) return false;
    load_model moved = load_;
    moved.remove(cpu, weight_of(work_, *lightest), own.size() == 1);
    moved.add(*gpu, weight_of(work_, *lightest));
    if (moved.expected_makespan() >= load_.expected_makespan()) return false;
    load_ = std::move(moved);
    limits_.give_back(*lightest, unit_id{static_cast<int>(cpu)});
    limits_.take(*lightest, unit_id{static_cast<int>(*gpu)});
    shares_[*gpu].push_back(*lightest);
    own.erase(lightest);
    return true;
  }
  std::size_t busiest(std::span<const std::size_t> among) const {
    return *std::ranges::max_element(among, {}, [&](std::size_t u) { return load_.load(u); });
  }
  seconds makespan() const { return load_.makespan(); }

 private:
  /// The GPU CU with room for `task` that finishes it first.
  std::optional<std::size_t> taker_of(task_id task) const {
    std::optional<std::size_t> best;
    for (const std::size_t u : units_of(unit_kind::gpu, units_)) {
      if (!limits_.fits(task, unit_id{static_cast<int>(u)})) continue;
      const double weight = weight_of(work_, task);
      if (!best || load_.finish(u, weight) < load_.finish(*best, weight)) best = u;
    }
    return best;
  }

  assignment& shares_;
  const workload& work_;
  std::span<const unit> units_;
  load_model load_;
  memory_limits limits_;
};

}  // namespace

seconds expected_lateness(seconds load, seconds makespan) {
  const seconds deviation = cpu_spread * load;
  if (!(deviation > 0)) return 0;
  const double z = (makespan - load) / deviation;
  const double density = std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  const double beyond = std::erfc(z / std::numbers::sqrt2) / 2;
  return deviation * (density - z * beyond);
}

plan_with_makespan plan_longest_first(const workload& work, std::span<const unit> units,
                                      std::span<const speed> speeds) {
  load_model load{units, speeds};
  memory_limits limits{work, units};
  assignment shares(units.size());
  for (const task_id task : longest_first(all_tasks(work.n_tasks), work)) {
    const double weight = weight_of(work, task);
    std::size_t best = 0;
    for (std::size_t u = 1; u < units.size(); ++u) {
      const bool room = limits.fits(task, unit_id{static_cast<int>(u)});
      const bool best_has_room = limits.fits(task, unit_id{static_cast<int>(best)});
      if (room && (!best_has_room || load.finish(u, weight) < load.finish(best, weight))) best = u;
    }
    load.add(best, weight);
    limits.take(task, unit_id{static_cast<int>(best)});
    shares[best].push_back(task);
  }
  for (std::vector<task_id>& share : shares) std::sort(share.begin(), share.end());
  return {std::move(shares), load.makespan()};
}

void leave_slack(plan_with_makespan& plan, const workload& work, std::span<const unit> units,
                 std::span<const speed> speeds) {
  slack_maker slack{plan.shares, work, units, speeds};
  std::vector<std::size_t> cpus = units_of(unit_kind::cpu, units);
  while (!cpus.empty()) {
    const std::size_t cpu = slack.busiest(cpus);
    if (!slack.relieve(cpu)) std::erase(cpus, cpu);
  }
  for (std::vector<task_id>& share : plan.shares) std::sort(share.begin(), share.end());
  plan.makespan = slack.makespan();
}

void put_neighbours_together(assignment& shares, const workload& work) {
  const auto kind_of = [&](task_id task) {
    return std::pair{weight_of(work, task), work.bytes.empty() ? 0 : work.bytes[index(task)]};
  };
  std::map<std::pair<double, std::size_t>, std::vector<std::size_t>> places;  // units, one for each task
  std::vector<task_id> tasks;
  for (std::size_t u = 0; u < shares.size(); ++u)
    for (const task_id task : shares[u]) {
      places[kind_of(task)].push_back(u);
      tasks.push_back(task);
    }
  std::sort(tasks.begin(), tasks.end());
  for (std::vector<task_id>& share : shares) share.clear();
  std::map<std::pair<double, std::size_t>, std::size_t> taken;
  for (const task_id task : tasks) {
    const auto kind = kind_of(task);
    shares[places[kind][taken[kind]++]].push_back(task);
  }
}

}  // namespace yoke::scheduling
