#include "longest_first.hpp"

#include "memory_limits.hpp"

#include <algorithm>
#include <utility>

namespace yoke::scheduling {

namespace {

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
  seconds makespan() const { return *std::max_element(load_.begin(), load_.end()); }

 private:
  std::span<const unit> units_;
  std::span<const speed> speeds_;
  std::vector<seconds> load_;
};

}  // namespace

plan_with_makespan plan_longest_first(const workload& work, const task_orders& orders,
                                      std::span<const unit> units, std::span<const speed> speeds) {
  load_model load{units, speeds};
  memory_limits limits{work, units};
  assignment shares(units.size());
  for (const task_id task : orders.longest_first()) {
    const double weight = weight_of(work, task);
    std::size_t best = 0;
    seconds first = load.finish(0, weight);
    bool has_room = !limits.any() || limits.fits(task, unit_id{0});
    for (std::size_t u = 1; u < units.size(); ++u) {
      if (limits.any() && !limits.fits(task, unit_id{static_cast<int>(u)})) continue;
      const seconds end = load.finish(u, weight);
      if (has_room && end >= first) continue;
      best = u;
      first = end;
      has_room = true;
    }
    load.add(best, weight);
    limits.take(task, unit_id{static_cast<int>(best)});
    shares[best].push_back(task);
  }
  for (std::vector<task_id>& share : shares) std::sort(share.begin(), share.end());
  return {std::move(shares), load.makespan()};
}

void put_neighbours_together(assignment& shares, const task_orders& orders) {
  constexpr int nobody = -1;
  std::vector<int> unit_of(orders.longest_first().size(), nobody);
  for (std::size_t u = 0; u < shares.size(); ++u)
    for (const task_id task : shares[u]) unit_of[index(task)] = static_cast<int>(u);
  std::vector<int> units;  // that have the tasks of one kind
  for (std::size_t kind = 0; kind < orders.n_kinds(); ++kind) {
    units.clear();
    for (const task_id task : orders.kind(kind))
      if (const int unit = unit_of[index(task)]; unit != nobody) units.push_back(unit);
    std::ranges::sort(units);
    auto next = units.begin();
    for (const task_id task : orders.kind(kind))
      if (int& unit = unit_of[index(task)]; unit != nobody) unit = *next++;
  }
  for (std::vector<task_id>& share : shares) share.clear();
  for (std::size_t task = 0; task < unit_of.size(); ++task)
    if (const int unit = unit_of[task]; unit != nobody)
      shares[static_cast<std::size_t>(unit)].push_back(task_id{static_cast<int>(task)});
}

}  // namespace yoke::scheduling
