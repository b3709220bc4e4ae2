#include "unit_differences.hpp"

#include "median.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace yoke::scheduling {

namespace {

/// How much units of one sort may differ, and how likely that is before anything was seen: CPUs of a node and
/// GPUs of a kind are nearly alike.
struct belief {
  double deviation = 0;
  double chance = 0;
};
constexpr std::array<belief, 6> beliefs{
    {{0, 0.5}, {0.015, 0.1}, {0.03, 0.1}, {0.06, 0.1}, {0.1, 0.1}, {0.15, 0.1}}};
using chances = std::array<double, beliefs.size()>;

/// Some units are of another sort: other cores, or a CPU that somebody else uses.
constexpr double chance_of_other_sort = 0.05, deviation_of_sorts = 0.5;
/// In deviations of one that is alike; such a unit does not say what is usual.
constexpr double of_another_sort = 4, alike = 0.05;

double squared(double x) { return x * x; }
double normal(double distance, double variance) {
  return std::exp(-squared(distance) / variance / 2) / std::sqrt(variance);
}

double usual_of(std::span<const unit_mean> units) {
  std::vector<double> ratios;
  for (const unit_mean& one : units)
    if (one.n > 0) ratios.push_back(one.ratio);
  const double middle = detail::median(ratios);
  double sum = 0, n = 0;
  for (const unit_mean& one : units) {
    if (squared(one.ratio / middle - 1) > squared(of_another_sort) * (one.variance + squared(alike)))
      continue;
    sum += one.n * one.ratio;
    n += one.n;
  }
  return n > 0 ? sum / n : middle;
}

/// What one unit says, where those of its sort have such a deviation.
class unit_evidence {
 public:
  unit_evidence(const unit_mean& told, double usual, double deviation)
      : within_{squared(deviation)}, noise_{told.variance} {
    const double distance = told.ratio / usual - 1;
    same_ = (1 - chance_of_other_sort) * normal(distance, within_ + noise_);
    // One that is twenty times as slow as others is so for sure, and no number is as small as its chance.
    other_ = std::max(chance_of_other_sort * normal(distance, between + noise_), least_chance);
  }
  double likelihood() const { return same_ + other_; }
  /// How far the unit is what it told.
  double own() const {
    return (same_ * within_ / (within_ + noise_) + other_ * between / (between + noise_)) / likelihood();
  }

 private:
  static constexpr double between = deviation_of_sorts * deviation_of_sorts, least_chance = 1e-100;
  double within_, noise_;
  double same_ = 0, other_ = 0;
};

chances chances_of(std::span<const unit_mean> units, double usual) {
  chances found{};
  for (std::size_t b = 0; b < beliefs.size(); ++b) {
    found[b] = std::log(beliefs[b].chance);
    for (const unit_mean& one : units)
      if (one.n > 0) found[b] += std::log(unit_evidence{one, usual, beliefs[b].deviation}.likelihood());
  }
  const double most = std::ranges::max(found);
  double all = 0;
  for (double& one : found) all += one = std::exp(one - most);
  for (double& one : found) one /= all;
  return found;
}

}  // namespace

unit_differences differences_of(std::span<const unit_mean> units) {
  unit_differences made{.usual = usual_of(units), .own = std::vector<double>(units.size())};
  const chances of = chances_of(units, made.usual);
  for (std::size_t u = 0; u < units.size(); ++u)
    for (std::size_t b = 0; b < beliefs.size() && units[u].n > 0; ++b)
      made.own[u] += of[b] * unit_evidence{units[u], made.usual, beliefs[b].deviation}.own();
  return made;
}

}  // namespace yoke::scheduling
