#include "fewest_moves.hpp"

#include "finish.hpp"
#include "memory_limits.hpp"
#include "task_graph.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace yoke::scheduling {

namespace {

class mender {
 public:
  mender(assignment& shares, const workload& work, std::span<const unit> units, std::span<const speed> speeds)
      : shares_{shares},
        work_{work},
        units_{units},
        speeds_{speeds},
        graph_{work},
        limits_{work, units},
        weight_(units.size()),
        home_(static_cast<std::size_t>(work.n_tasks)) {
    for (std::size_t u = 0; u < shares_.size(); ++u)
      for (const task_id task : shares_[u]) {
        weight_[u] += weight_of(work_, task);
        home_[index(task)] = u;
        limits_.take(task, unit_id{static_cast<int>(u)});
      }
    first_home_ = home_;
  }

  seconds finish(std::size_t u, double more_weight = 0, int more_tasks = 0) const {
    const auto tasks = static_cast<std::size_t>(std::ssize(shares_[u]) + more_tasks);
    return finish_of(units_[u], speeds_[u], weight_[u] + more_weight, tasks);
  }
  std::size_t latest() const {
    std::size_t last = 0;
    for (std::size_t u = 1; u < shares_.size(); ++u)
      if (finish(u) > finish(last)) last = u;
    return last;
  }
  bool step();
  int moved() const {
    int count = 0;
    for (std::size_t t = 0; t < home_.size(); ++t) count += home_[t] != first_home_[t] ? 1 : 0;
    return count;
  }

 private:
  struct move {
    task_id task;
    std::size_t to = 0;
    seconds end = 0;  ///< of the later of the two units then
    double weight = 0;
    double together = 0;  ///< bytes to neighbours where it goes, less those to neighbours where it is

    /// The heaviest first: the fewest tasks move; then where neighbours are.
    auto rank() const { return std::tuple{-weight, end, -together, task}; }
  };
  double bytes_to(task_id task, space_id space) const {
    double bytes = 0;
    for (const neighbour& other : graph_.neighbours(int{task}))
      bytes += units_[home_[static_cast<std::size_t>(other.task)]].space == space ? other.bytes : 0;
    return bytes;
  }
  std::optional<move> move_of(task_id task, std::size_t from) const;

  assignment& shares_;
  const workload& work_;
  std::span<const unit> units_;
  std::span<const speed> speeds_;
  task_graph graph_;
  memory_limits limits_;
  std::vector<double> weight_;
  std::vector<std::size_t> home_, first_home_;
};

/// To the unit that has it done first, where that is before the unit that has it would be done with it.
std::optional<mender::move> mender::move_of(task_id task, std::size_t from) const {
  const double weight = weight_of(work_, task);
  std::optional<move> best;
  for (std::size_t to = 0; to < units_.size(); ++to) {
    if (to == from ||
        (units_[to].space != units_[from].space && !limits_.fits(task, unit_id{static_cast<int>(to)})))
      continue;
    const seconds end = finish(to, weight, 1);
    if (std::max(end, finish(from, -weight, -1)) >= finish(from) * (1 - 1e-9)) continue;
    const double together = bytes_to(task, units_[to].space) - bytes_to(task, units_[from].space);
    const move found{.task = task, .to = to, .end = end, .weight = weight, .together = together};
    if (!best || std::pair{end, -together} < std::pair{best->end, -best->together}) best = found;
  }
  return best;
}

bool mender::step() {
  const std::size_t from = latest();
  std::optional<move> best;
  for (const task_id task : shares_[from])
    if (const auto found = move_of(task, from); found && (!best || found->rank() < best->rank()))
      best = found;
  if (!best) return false;
  std::erase(shares_[from], best->task);
  shares_[best->to].push_back(best->task);
  weight_[from] -= best->weight;
  weight_[best->to] += best->weight;
  home_[index(best->task)] = best->to;
  limits_.give_back(best->task, unit_id{static_cast<int>(from)});
  limits_.take(best->task, unit_id{static_cast<int>(best->to)});
  return true;
}

seconds of_tasks_cut_at_will(const workload& work, std::span<const speed> speeds) {
  double rate = 0;
  for (const speed& each : speeds) rate += 1 / each.per_weight;
  return weight_of(work, all_tasks(work.n_tasks)) / rate;
}

}  // namespace

mended_map move_few(assignment shares, const workload& work, std::span<const unit> units,
                    std::span<const speed> speeds, double slack) {
  mended_map mended{.shares = std::move(shares)};
  mender present{mended.shares, work, units, speeds};
  const seconds good = (1 + slack) * of_tasks_cut_at_will(work, speeds);
  for (int n = 0; n < 2 * work.n_tasks && present.finish(present.latest()) > good && present.step(); ++n) {
  }
  for (std::vector<task_id>& share : mended.shares) std::ranges::sort(share);
  mended.makespan = present.finish(present.latest());
  mended.moved = present.moved();
  return mended;
}

}  // namespace yoke::scheduling
