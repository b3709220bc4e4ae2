#include "exchanges.hpp"

#include "finish.hpp"
#include "memory_limits.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

constexpr int most_steps = 64;
/// With more tasks for each unit longest-first leaves less than a few hundredths.
constexpr std::size_t most_tasks_each = 24;
constexpr double clearly = 1 - 1e-3;

class exchanger {
 public:
  exchanger(assignment& shares, const workload& work, std::span<const unit> units,
            std::span<const speed> speeds)
      : shares_{shares},
        work_{work},
        units_{units},
        speeds_{speeds},
        are_equal_{has_equal_weights(work)},
        slack_(shares.size()) {
    for (const std::vector<task_id>& share : shares) weights_.push_back(weight_of(work, share));
  }

  bool step() {
    std::size_t late = 0;
    for (std::size_t u = 1; u < shares_.size(); ++u)
      if (finish(u) > finish(late)) late = u;
    limit_ = clearly * finish(late);
    for (std::size_t u = 0; u < shares_.size(); ++u) slack_[u] = slack(u);
    // Of equal tasks one is as good as another, and exchanging them does nothing.
    const std::size_t n = are_equal_ ? std::min<std::size_t>(1, shares_[late].size()) : shares_[late].size();
    for (std::size_t at = 0; at < n; ++at)
      for (std::size_t u = 0; u < shares_.size(); ++u)
        if (u != late && (move(late, at, u) || (!are_equal_ && exchange(late, at, u)))) return true;
    return false;
  }

 private:
  seconds finish(std::size_t u) const {
    return finish_of(units_[u], speeds_[u], weights_[u], shares_[u].size());
  }
  double weight(std::size_t u, std::size_t at) const { return weight_of(work_, shares_[u][at]); }

  bool move(std::size_t from, std::size_t at, std::size_t to) {
    const double moved = weight(from, at);
    if (finish_of(units_[to], speeds_[to], weights_[to] + moved, shares_[to].size() + 1) >= limit_)
      return false;
    weights_[from] -= moved;
    weights_[to] += moved;
    shares_[to].push_back(shares_[from][at]);
    shares_[from].erase(shares_[from].begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }

  /// What `u` may have beside its share until it is as late as the one that is last.
  double slack(std::size_t u) const {
    const seconds launches = finish_of(units_[u], speeds_[u], 0, shares_[u].size());
    return (limit_ - launches) / speeds_[u].per_weight - weights_[u];
  }

  bool exchange(std::size_t from, std::size_t at, std::size_t with) {
    const double there = weight(from, at), least = there - slack_[with], most = there + slack_[from];
    if (least >= most) return false;
    for (std::size_t other = 0; other < shares_[with].size(); ++other) {
      const double here = weight(with, other);
      if (here <= least || here >= most) continue;
      weights_[from] += here - there;
      weights_[with] += there - here;
      std::swap(shares_[from][at], shares_[with][other]);
      return true;
    }
    return false;
  }

  assignment& shares_;
  const workload& work_;
  std::span<const unit> units_;
  std::span<const speed> speeds_;
  bool are_equal_;
  std::vector<double> weights_;
  std::vector<double> slack_;  ///< of each unit, below 0 for the last
  seconds limit_ = 0;
};

}  // namespace

void exchange_tasks(assignment& shares, const workload& work, std::span<const unit> units,
                    std::span<const speed> speeds) {
  const bool are_few = static_cast<std::size_t>(work.n_tasks) <= most_tasks_each * units.size();
  if (!are_few || memory_limits{work, units}.any()) return;
  exchanger exchange{shares, work, units, speeds};
  for (int steps = 0; steps < most_steps && exchange.step(); ++steps) continue;
  for (std::vector<task_id>& share : shares) std::sort(share.begin(), share.end());
}

}  // namespace yoke::scheduling
