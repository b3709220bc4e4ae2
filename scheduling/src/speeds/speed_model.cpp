#include "speed_model.hpp"

#include "delays.hpp"
#include "median.hpp"
#include "sample.hpp"
#include "unit_differences.hpp"

#include <algorithm>
#include <cmath>

namespace yoke::scheduling {

namespace {

constexpr double outlier = 2.5;
/// Before a line is known, batches of unlike weight are compared roughly.
constexpr double outlier_of_rates = 3;
/// Units further from the others than this are not alike.
constexpr double far = 1.6;
constexpr std::size_t rough_samples = 128;
/// What clocks and caches do at least.
constexpr double least_spread = 0.01;
/// Before times tell how much they vary.
constexpr double assumed_spread = 0.15, assumed_freedom = 2;
/// Until there are four batches of each unit, none is taken for slow or fast for less than this explains,
/// which shrinks as batches agree.
constexpr double cautious_spread = 0.3;
/// Batches tell what a launch takes where some are so many times lighter than others; then this part of the
/// time of the heaviest is their work at least.
constexpr double clearly_lighter = 4, least_of_work = 0.02;
constexpr int rounds = 4;
seconds at(const speed& line, double weight) { return line.launch + line.per_weight * weight; }

bool is_far(double ratio) { return ratio > far || ratio < 1 / far; }
bool is_outlier(double ratio) { return ratio > outlier || ratio < 1 / outlier; }

/// Sums of a least-squares line through (weight, seconds), each divided by what it is expected to take.
class line_sums {
 public:
  void add(double weight, seconds time, seconds expected) {
    const double one = 1 / expected, slope = weight / expected, target = time / expected;
    aa_ += one * one;
    ab_ += one * slope;
    bb_ += slope * slope;
    at_ += one * target;
    bt_ += slope * target;
  }
  /// launch = guess.weight * per_weight, give or take; `doubt`: relative deviation of a batch.
  void guess(launch_guess of, seconds per_weight, double doubt) {
    const double scale = doubt / (of.deviation * per_weight);
    aa_ += scale * scale;
    ab_ -= scale * scale * of.weight;
    bb_ += scale * scale * of.weight * of.weight;
  }
  std::optional<speed> solve() const {
    const double determinant = aa_ * bb_ - ab_ * ab_;
    const double launch = determinant > 1e-12 * aa_ * bb_ ? (at_ * bb_ - ab_ * bt_) / determinant : 0;
    const double per_weight = (bt_ - std::max(launch, 0.0) * ab_) / bb_;
    if (!(per_weight > 0)) return std::nullopt;
    return speed{.launch = std::max(launch, 0.0), .per_weight = per_weight};
  }

 private:
  double aa_ = 0, ab_ = 0, bb_ = 0, at_ = 0, bt_ = 0;
};

struct ratio_stats {
  double mean = 1;
  double square = 0;  ///< sum of squared distances from the mean
  double n = 0;
};

class fitting {
 public:
  fitting(std::span<const unit_samples> units, launch_guess guess, double usual_at)
      : units_{units.begin(), units.end()}, guess_{guess}, usual_at_{usual_at}, factors_(units.size(), 1) {}

  std::optional<kind_model> run() {
    if (!begin()) return std::nullopt;
    fit();
    kind_model made{.units = {}, .spread = spread_, .error = error_, .error_of_all = error_of_all_};
    for (const double factor : factors_)
      made.units.push_back({line_.launch * factor, line_.per_weight * factor});
    if (!std::ranges::all_of(made.units, is_speed)) return std::nullopt;
    return made;
  }

 private:
  void fit() {
    for (int round = 0; round < rounds; ++round) {
      fit_line();
      fit_factors();
    }
  }

  /// What is far later than a unit's usual batch is left out: of two that are far apart, the late one. A
  /// unit's only batch is compared with the other units.
  void keep_usual() {
    unit_samples of_each;
    for (unit_samples& unit : units_) {
      const std::vector<double> delays = delays_of(unit, guess_.most(), usual_at_);
      unit_samples kept;
      for (std::size_t i = 0; i < unit.size(); ++i)
        if (delays[i] <= outlier_of_rates) kept.push_back(unit[i]);
      unit = std::move(kept);
      if (!unit.empty()) of_each.push_back(middle_of(unit));
    }
    const std::vector<double> delays = delays_of(of_each, guess_.most(), usual_of_cpus);
    auto at = delays.begin();
    for (unit_samples& unit : units_)
      if (!unit.empty() && *at++ > outlier_of_rates && unit.size() == 1) unit.clear();
  }

  /// A usual batch.
  std::pair<double, seconds> middle_of(unit_samples batches) const {
    const auto rate = [&](const auto& batch) { return batch.second / (batch.first + guess_.weight); };
    const auto middle = batches.begin() + static_cast<std::ptrdiff_t>((batches.size() - 1) / 2);
    std::ranges::nth_element(batches, middle, {}, rate);
    return *middle;
  }

  /// A line that outliers do not move through batches of all units, and units that are far from it.
  bool begin() {
    if (units_.empty()) return false;
    keep_usual();
    speed_fit rough;
    const std::size_t most = std::max<std::size_t>(1, rough_samples / units_.size());
    for (const unit_samples& unit : units_)
      for (std::size_t i = 0; i < std::min(most, unit.size()); ++i) rough.add(unit[i].first, unit[i].second);
    const std::optional<speed> line = rough.fit();
    if (!line) return false;
    line_ = *line;
    if (const std::optional<speed> mostly_launch = with_long_launch()) {
      line_ = *mostly_launch;
      const double launch = line_.launch / line_.per_weight;
      guess_ = {launch, launch};
    }
    for (std::size_t u = 0; u < units_.size(); ++u) {
      std::vector<double> ratios;
      for (const auto& [weight, time] : units_[u]) ratios.push_back(time / at(line_, weight));
      const double usual = ratios.empty() ? 1 : detail::median(ratios);
      if (is_far(usual)) factors_[u] = usual;
    }
    return true;
  }

  /// Where light batches take far longer than the most that a launch was thought to be explains.
  std::optional<speed> with_long_launch() const {
    double most = 0;
    for (const unit_samples& unit : units_)
      for (const auto& [weight, time] : unit) most = std::max(most, weight);
    unit_samples light, heavy;
    for (const unit_samples& unit : units_)
      for (const auto& batch : unit) {
        if (batch.first < most / clearly_lighter) light.push_back(batch);
        if (batch.first > most / 2) heavy.push_back(batch);
      }
    if (light.empty()) return std::nullopt;
    const auto [little, launch] = middle_of(light);
    const auto [much, all] = middle_of(heavy);
    if (launch < outlier * all * (little + guess_.most()) / (much + guess_.most())) return std::nullopt;
    return speed{.launch = launch, .per_weight = std::max(all - launch, least_of_work * all) / much};
  }

  void fit_line() {
    line_sums sums;
    for (std::size_t u = 0; u < units_.size(); ++u)
      for (const auto& [weight, time] : units_[u]) {
        const seconds expected = at(line_, weight);
        if (!is_outlier(time / factors_[u] / expected)) sums.add(weight, time / factors_[u], expected);
      }
    sums.guess(guess_, line_.per_weight, std::max(spread_, least_spread));
    if (const std::optional<speed> line = sums.solve()) line_ = *line;
  }

  ratio_stats stats_of(std::size_t u) const {
    ratio_stats of;
    double sum = 0, squares = 0;
    for (const auto& [weight, time] : units_[u]) {
      const double ratio = time / at(line_, weight);
      if (is_outlier(ratio / factors_[u])) continue;
      sum += ratio;
      squares += ratio * ratio;
      of.n += 1;
    }
    if (of.n == 0) return of;
    of.mean = sum / of.n;
    of.square = std::max(0.0, squares - of.n * of.mean * of.mean);
    return of;
  }

  /// Units differ as far as their means differ by more than the noise of so many batches explains.
  void fit_factors() {
    std::vector<ratio_stats> all;
    double n = 0;
    for (std::size_t u = 0; u < units_.size(); ++u) n += all.emplace_back(stats_of(u)).n;
    if (n == 0) return;
    spread_ = spread_of(all);
    const unit_differences found = differences_of(means_of(all, n));
    error_ = 0;
    error_of_all_ = spread_ / std::sqrt(n);
    for (std::size_t u = 0; u < all.size(); ++u) {
      const double own = found.own[u];
      factors_[u] = found.usual + own * (all[u].mean - found.usual);
      error_ = std::max(error_, spread_ * std::sqrt(own / std::max(1.0, all[u].n) + (1 - own) / n));
    }
  }

  static double spread_of(const std::vector<ratio_stats>& all) {
    double square = assumed_freedom * assumed_spread * assumed_spread, freedom = assumed_freedom;
    for (const ratio_stats& one : all) {
      square += one.square / (one.mean * one.mean);
      freedom += std::max(0.0, one.n - 1);
    }
    return std::sqrt(square / freedom);
  }

  std::vector<unit_mean> means_of(const std::vector<ratio_stats>& all, double n) const {
    const bool are_few = n < 4 * static_cast<double>(all.size());
    const double freedom = std::max(0.0, n - static_cast<double>(all.size()));
    const double cautious = cautious_spread * std::sqrt(assumed_freedom / (freedom + assumed_freedom));
    const double spread = are_few ? std::max(spread_, cautious) : spread_;
    std::vector<unit_mean> means;
    for (const ratio_stats& one : all) {
      const double noise = std::max(spread, least_spread);
      means.push_back({one.mean, one.n, noise * noise / std::max(1.0, one.n)});
    }
    return means;
  }

  std::vector<unit_samples> units_;
  launch_guess guess_;
  double usual_at_;
  std::vector<double> factors_;
  speed line_;
  double spread_ = 0.1;
  double error_ = 0, error_of_all_ = 0;
};

}  // namespace

launch_guess usual_launch(unit_kind kind, double task) {
  return kind == unit_kind::gpu ? launch_guess{2 * task, 2 * task} : launch_guess{0, 0.2 * task};
}

std::optional<kind_model> fit_kind(std::span<const unit_samples> units, launch_guess guess, double usual_at) {
  return fitting{units, guess, usual_at}.run();
}

}  // namespace yoke::scheduling
