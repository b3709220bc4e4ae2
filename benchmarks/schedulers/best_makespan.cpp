#include "best_makespan.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

namespace bench {

namespace {

constexpr long most_nodes = 20'000'000;

class search {
 public:
  search(std::span<const double> weights, std::span<const double> rates)
      : weights_{weights.begin(), weights.end()},
        rates_{rates.begin(), rates.end()},
        load_(rates.size()),
        total_rate_{std::accumulate(rates.begin(), rates.end(), 0.0)} {
    std::ranges::sort(weights_, std::greater<>{});
    left_.resize(weights_.size() + 1);
    for (std::size_t t = weights_.size(); t-- > 0;) left_[t] = left_[t + 1] + weights_[t];
    lower_bound_ = weights_.empty()
                       ? 0
                       : std::max(left_[0] / total_rate_, weights_[0] / *std::ranges::max_element(rates_));
  }

  makespan_bound run() {
    if (!weights_.empty()) place(0, 0);
    const bool searched_all = nodes_ <= most_nodes;
    if (weights_.empty()) return {0, true};
    return searched_all ? makespan_bound{best_, true} : makespan_bound{lower_bound_, false};
  }

 private:
  bool is_done() const { return nodes_ > most_nodes || best_ <= lower_bound_ * (1 + 1e-12); }

  /// All ways to place the tasks from `task` on that may be better than the best one; `latest` is the time of
  /// the last unit so far. The unit that would finish first comes first, so the first leaf is that of
  /// longest-first.
  void place(std::size_t task, double latest) {
    ++nodes_;
    if (task == weights_.size()) {
      best_ = std::min(best_, latest);
      return;
    }
    double placed = 0;
    for (std::size_t u = 0; u < load_.size(); ++u) placed += load_[u] * rates_[u];
    if ((placed + left_[task]) / total_rate_ >= best_) return;
    std::vector<std::size_t> units(load_.size());
    std::iota(units.begin(), units.end(), std::size_t{0});
    const auto finish = [&](std::size_t u) { return load_[u] + weights_[task] / rates_[u]; };
    std::ranges::sort(units, {}, finish);
    for (std::size_t n = 0; n < units.size(); ++n) {
      const std::size_t u = units[n];
      if (is_done() || finish(u) >= best_) return;
      if (n > 0 && load_[u] == load_[units[n - 1]] && rates_[u] == rates_[units[n - 1]]) continue;  // alike
      const double before = load_[u];
      load_[u] = finish(u);
      place(task + 1, std::max(latest, load_[u]));
      load_[u] = before;
    }
  }

  std::vector<double> weights_;
  std::vector<double> rates_;
  std::vector<double> left_;  ///< weight from a task on
  std::vector<double> load_;
  double total_rate_;
  double lower_bound_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
  long nodes_ = 0;
};

}  // namespace

makespan_bound best_makespan(std::span<const double> weights, std::span<const double> rates) {
  return search{weights, rates}.run();
}

}  // namespace bench
