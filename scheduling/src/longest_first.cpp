#include "longest_first.hpp"

#include "memory_limits.hpp"

#include <algorithm>
#include <map>
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
