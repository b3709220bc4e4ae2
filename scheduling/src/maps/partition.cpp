#include "partition.hpp"

#include "bisection.hpp"
#include "finish.hpp"
#include "longest_first.hpp"
#include "task_graph.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace yoke::scheduling {

namespace {

/// Beyond what longest-first alone reaches a pass may be longer by this much: for the sake of neighbours.
constexpr double most_longer = 1.003;

/// The units of one memory and the weight that they are to get.
struct region {
  std::vector<std::size_t> units;
  double weight = 0;
  std::vector<int> tasks;
};

std::vector<region> regions_of(const assignment& loads, const workload& work, std::span<const unit> units) {
  std::vector<space_id> spaces;
  std::vector<region> found;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const auto known = std::ranges::find(spaces, units[u].space);
    const auto at = static_cast<std::size_t>(known - spaces.begin());
    if (known == spaces.end()) {
      spaces.push_back(units[u].space);
      found.emplace_back();
    }
    found[at].units.push_back(u);
    found[at].weight += weight_of(work, loads[u]);
  }
  return found;
}

double weight_of_all(std::span<const region> some) {
  return std::accumulate(some.begin(), some.end(), 0.0,
                         [](double sum, const region& r) { return sum + r.weight; });
}

/// Halves the regions and cuts the tasks by their weights, until each region has its own.
void cut(const task_graph& graph, std::span<const int> tasks, std::span<region> parts) {
  if (parts.size() == 1) {
    parts.front().tasks.assign(tasks.begin(), tasks.end());
    return;
  }
  const auto left = parts.first(parts.size() / 2), right = parts.subspan(parts.size() / 2);
  const std::vector<int> first = first_part(graph, tasks, weight_of_all(left));
  std::vector<int> rest;
  std::ranges::set_difference(tasks, first, std::back_inserter(rest));
  cut(graph, first, left);
  cut(graph, rest, right);
}

/// The present shares with what they cost, kept up as tasks move.
class balance {
 public:
  balance(assignment& shares, const workload& work, const task_graph& graph, std::span<const unit> units,
          std::span<const speed> speeds, const exchange_rates& rates)
      : shares_{shares},
        work_{work},
        graph_{graph},
        units_{units},
        speeds_{speeds},
        unit_of_(static_cast<std::size_t>(work.n_tasks)) {
    for (std::size_t u = 0; u < shares_.size(); ++u)
      for (const task_id task : shares_[u]) unit_of_[index(task)] = u;
    for (const unit& from : units_)
      for (const unit& to : units_) rates_.push_back(rates.between(from.space, to.space));
    for (std::size_t u = 0; u < shares_.size(); ++u) ends_.push_back(finish(u));
  }

  std::size_t latest() const {
    return static_cast<std::size_t>(std::ranges::max_element(ends_) - ends_.begin());
  }
  seconds makespan() const { return ends_[latest()]; }
  /// Moves a task away from the latest unit where both ends are earlier then than it is now.
  bool relieve();
  double cut_bytes() const {
    std::vector<int> space_of;
    for (const std::size_t u : unit_of_) space_of.push_back(static_cast<int>(units_[u].space));
    return cut_of(graph_, space_of);
  }

 private:
  struct move {
    std::size_t task = 0;  ///< position in the share
    std::size_t to = 0;
    seconds later = 0;   ///< of the two units then
    seconds longer = 0;  ///< of exchanges
  };

  seconds finish(std::size_t unit) const { return work_of(unit) + exchange_of(unit); }
  seconds work_of(std::size_t unit) const {
    const std::vector<task_id>& share = shares_[unit];
    return finish_of(units_[unit], speeds_[unit], weight_of(work_, share), share.size());
  }
  /// Of a GPU CU: CPU CUs write what others read where it is read.
  seconds exchange_of(std::size_t unit) const {
    if (units_[unit].kind == unit_kind::cpu) return 0;
    seconds time = 0;
    for (const task_id task : shares_[unit])
      for (const neighbour& other : graph_.neighbours(int{task})) time += time_of(unit, other);
    return time;
  }
  /// What a task of `unit` exchanges with a neighbour.
  seconds time_of(std::size_t unit, const neighbour& other) const {
    const std::size_t there = unit_of_[static_cast<std::size_t>(other.task)];
    const bool is_inside = units_[unit].space == units_[there].space;
    return is_inside ? 0 : other.bytes / rates_[unit * units_.size() + there];
  }
  seconds more_time(std::size_t from, int task, std::size_t to) const {
    seconds more = 0;
    for (const neighbour& other : graph_.neighbours(task)) more += time_of(to, other) - time_of(from, other);
    return more;
  }
  std::optional<move> best_move(std::size_t from) const;

  assignment& shares_;
  const workload& work_;
  const task_graph& graph_;
  std::span<const unit> units_;
  std::span<const speed> speeds_;
  std::vector<double> rates_;  ///< between the memories of two units
  std::vector<std::size_t> unit_of_;
  std::vector<seconds> ends_;  ///< of each unit
};

std::optional<balance::move> balance::best_move(std::size_t from) const {
  const seconds now = ends_[from];
  std::optional<move> best;
  for (std::size_t at = 0; at < shares_[from].size(); ++at) {
    const task_id task = shares_[from][at];
    const double weight = weight_of(work_, task);
    for (std::size_t to = 0; to < units_.size(); ++to) {
      if (to == from) continue;
      const seconds longer = more_time(from, int{task}, to);
      const seconds there = ends_[to] + speeds_[to].per_weight * weight + std::max(0.0, longer);
      const seconds here = now - speeds_[from].per_weight * weight + std::max(0.0, longer);
      const move found{at, to, std::max(here, there), longer};
      if (found.later >= now * (1 - 1e-9)) continue;
      if (!best || std::pair{found.later, found.longer} < std::pair{best->later, best->longer}) best = found;
    }
  }
  return best;
}

bool balance::relieve() {
  const std::size_t from = latest();
  const std::optional<move> best = best_move(from);
  if (!best) return false;
  const task_id task = shares_[from][best->task];
  shares_[from].erase(shares_[from].begin() + static_cast<std::ptrdiff_t>(best->task));
  shares_[best->to].push_back(task);
  unit_of_[index(task)] = best->to;
  // What its neighbours exchange has changed, too.
  std::vector<char> is_other(units_.size(), 0);
  is_other[from] = is_other[best->to] = 1;
  for (const neighbour& other : graph_.neighbours(int{task}))
    is_other[unit_of_[static_cast<std::size_t>(other.task)]] = 1;
  for (std::size_t u = 0; u < units_.size(); ++u)
    if (is_other[u] != 0) ends_[u] = finish(u);
  return true;
}

}  // namespace

double exchange_rates::between(space_id from, space_id to) const {
  for (const space_link& each : links_)
    if (each.from == from && each.to == to) return each.bandwidth;
  return usual_;
}

std::string exchange_rates::text() const {
  constexpr double giga = 1e9;
  double fastest = usual_;
  for (const space_link& each : links_) fastest = std::max(fastest, each.bandwidth);
  if (fastest == usual_) return fmt::format("{:g} GB/s", usual_ / giga);
  return fmt::format("{:g} to {:.3g} GB/s", usual_ / giga, fastest / giga);
}

void deal_out(std::span<const int> tasks, std::span<const std::size_t> among, const workload& work,
              std::span<const unit> units, std::span<const speed> speeds, assignment& shares) {
  workload part{.n_tasks = static_cast<int>(tasks.size())};
  for (const int task : tasks) part.weights.push_back(weight_of(work, task_id{task}));
  std::vector<unit> theirs;
  std::vector<speed> their_speeds;
  for (const std::size_t u : among) {
    theirs.push_back(units[u]);
    theirs.back().memory = 0;  // whether a region fits into its space is seen to later
    their_speeds.push_back(speeds[u]);
  }
  const assignment dealt = plan_longest_first(part, theirs, their_speeds).shares;
  for (std::size_t n = 0; n < among.size(); ++n)
    for (const task_id task : dealt[n]) shares[among[n]].push_back(task_id{tasks[index(task)]});
}

exchange_rates usual_rates(const workload& work) {
  constexpr double through_the_host = 12e9;
  return {through_the_host, work.links};
}

partition_plan cost_of(assignment shares, const workload& work, std::span<const unit> units,
                       std::span<const speed> speeds, const exchange_rates& rates) {
  const task_graph graph{work};
  partition_plan plan{.shares = std::move(shares)};
  const balance present{plan.shares, work, graph, units, speeds, rates};
  plan.makespan = present.makespan();
  plan.cut_bytes = present.cut_bytes();
  return plan;
}

partition_plan partition(const assignment& loads, const workload& work, std::span<const unit> units,
                         std::span<const speed> speeds, const exchange_rates& rates) {
  const task_graph graph{work};
  std::vector<region> regions = regions_of(loads, work, units);
  std::vector<int> tasks(static_cast<std::size_t>(work.n_tasks));
  std::iota(tasks.begin(), tasks.end(), 0);
  cut(graph, tasks, regions);
  partition_plan plan{.shares = assignment(units.size())};
  for (const region& each : regions) deal_out(each.tasks, each.units, work, units, speeds, plan.shares);
  const seconds good = most_longer * makespan_of(loads, work, units, speeds);
  balance present{plan.shares, work, graph, units, speeds, rates};
  for (int n = 0; n < work.n_tasks && present.makespan() > good && present.relieve(); ++n) {
  }
  for (std::vector<task_id>& share : plan.shares) std::ranges::sort(share);
  plan.makespan = present.makespan();
  plan.cut_bytes = present.cut_bytes();
  return plan;
}

}  // namespace yoke::scheduling
