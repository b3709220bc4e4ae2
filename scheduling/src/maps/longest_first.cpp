#include "longest_first.hpp"

#include "memory_limits.hpp"

#include <algorithm>
#include <utility>

namespace yoke::scheduling {

namespace {

/// When each unit would finish with one task more of the weight that was asked for last.
class load_model {
 public:
  load_model(std::span<const unit> units, std::span<const speed> speeds)
      : units_{units}, speeds_{speeds}, load_(units.size()), finish_(units.size()) {}

  /// Tasks come by weight, and many are alike: then all but one unit would finish when they would have
  /// before.
  std::span<const seconds> finish(double weight) {
    if (weight != weight_) {
      weight_ = weight;
      for (std::size_t u = 0; u < units_.size(); ++u) finish_[u] = finish_of(u);
    }
    return finish_;
  }
  void add(std::size_t unit) {
    load_[unit] = finish_[unit];
    finish_[unit] = finish_of(unit);
  }
  seconds makespan() const { return *std::max_element(load_.begin(), load_.end()); }

 private:
  /// Some units launch once for all of their tasks, others for each.
  seconds finish_of(std::size_t unit) const {
    const bool launches = !takes_whole_shares(units_[unit]) || load_[unit] == 0;
    return load_[unit] + (launches ? speeds_[unit].launch : 0) + speeds_[unit].per_weight * weight_;
  }

  std::span<const unit> units_;
  std::span<const speed> speeds_;
  std::vector<seconds> load_, finish_;
  double weight_ = -1;  ///< none yet
};

/// The unit that is through with `task` first, among those with room if any has room.
std::size_t first_through(std::span<const seconds> finish, task_id task, const memory_limits& limits) {
  if (!limits.any()) return static_cast<std::size_t>(std::ranges::min_element(finish) - finish.begin());
  std::size_t best = 0;
  bool fits = limits.fits(task, unit_id{0});
  for (std::size_t u = 1; u < finish.size(); ++u) {
    if (!limits.fits(task, unit_id{static_cast<int>(u)}) || (fits && finish[u] >= finish[best])) continue;
    best = u;
    fits = true;
  }
  return best;
}

}  // namespace

plan_with_makespan plan_longest_first(const workload& work, const task_orders& orders,
                                      std::span<const unit> units, std::span<const speed> speeds) {
  load_model load{units, speeds};
  memory_limits limits{work, units};
  std::vector<std::size_t> unit_of(orders.longest_first().size());
  for (const task_id task : orders.longest_first()) {
    const std::size_t best = first_through(load.finish(weight_of(work, task)), task, limits);
    load.add(best);
    limits.take(task, unit_id{static_cast<int>(best)});
    unit_of[index(task)] = best;
  }
  assignment shares(units.size());
  for (std::size_t task = 0; task < unit_of.size(); ++task)
    shares[unit_of[task]].push_back(task_id{static_cast<int>(task)});
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
