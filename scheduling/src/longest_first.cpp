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

namespace {

/// Tasks of one weight and size: the units that have them, one for each task.
struct alike {
  std::vector<std::size_t> places;
  std::size_t taken = 0;
};

/// Groups by weight and size; the last one looked up is at hand, since neighbours are often alike.
class groups {
 public:
  explicit groups(const workload& work) : work_{work} {}
  alike& of(task_id task) {
    const key own{weight_of(work_, task), work_.bytes.empty() ? 0 : work_.bytes[index(task)]};
    if (last_ == nullptr || last_->first != own) last_ = &*all_.try_emplace(own).first;
    return last_->second;
  }

 private:
  using key = std::pair<double, std::size_t>;
  const workload& work_;
  std::map<key, alike> all_;
  std::pair<const key, alike>* last_ = nullptr;
};

}  // namespace

void put_neighbours_together(assignment& shares, const workload& work) {
  groups all{work};
  std::vector<bool> is_dealt(static_cast<std::size_t>(work.n_tasks));
  for (std::size_t u = 0; u < shares.size(); ++u)
    for (const task_id task : shares[u]) {
      all.of(task).places.push_back(u);
      is_dealt[index(task)] = true;
    }
  for (std::vector<task_id>& share : shares) share.clear();
  for (const task_id task : all_tasks(work.n_tasks)) {
    if (!is_dealt[index(task)]) continue;
    alike& group = all.of(task);
    shares[group.places[group.taken++]].push_back(task);
  }
}

}  // namespace yoke::scheduling
