#include "estimate.hpp"

#include "../speeds/median.hpp"
#include "numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace yoke::scheduling {

namespace {

constexpr std::size_t most_stretches = 48;

double normal(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

struct saving {
  double part, chance;
};

/// Of a log-normal X: E[max(0, 1 - X)], as of an option, and how likely X < 1 is.
saving saving_of(const estimate& there, const estimate& here) {
  const double ratio = there.pass / here.pass, error = std::max(std::hypot(there.error, here.error), 1e-4);
  const double z = (error * error / 2 - std::log(ratio)) / error;
  return {std::max(0.0, normal(z) - ratio * normal(z - error)), normal(z)};
}

}  // namespace

estimate together(const estimate& a, const estimate& b) {
  const double of_a = 1 / (a.error * a.error), of_b = 1 / (b.error * b.error), all = of_a + of_b;
  return {std::exp((of_a * std::log(a.pass) + of_b * std::log(b.pass)) / all), 1 / std::sqrt(all)};
}

void timed_passes::add(pass_id passes, seconds time, double overlap) {
  const double unsure = passes > 1 ? overlap / 2 : 0;
  const seconds meets = passes > 1 ? std::min(numbers.meeting, time) / 2 : 0;
  const seconds pass = (time - meets) / (static_cast<seconds>(passes) + unsure);
  stretches_.push_back({pass, passes, unsure + numbers.meeting / 2 / pass});
  if (stretches_.size() > most_stretches) stretches_.erase(stretches_.begin());
}

void timed_passes::keep_newest(std::size_t n) {
  stretches_.erase(stretches_.begin(), stretches_.end() - static_cast<std::ptrdiff_t>(n));
}
void timed_passes::drop_newest(std::size_t n) { stretches_.resize(stretches_.size() - n); }

std::optional<estimate> timed_passes::of_newest(std::size_t n) const {
  return of({stretches_.end() - static_cast<std::ptrdiff_t>(n), stretches_.end()});
}
std::optional<estimate> timed_passes::before(std::size_t n) const {
  return of({stretches_.begin(), stretches_.end() - static_cast<std::ptrdiff_t>(n)});
}

/// The deviation of a pass is what stretches show, and `noise` where they are few.
std::optional<estimate> timed_passes::of(std::vector<stretch> some) {
  if (some.empty()) return std::nullopt;
  std::vector<std::pair<double, std::int64_t>> times;
  std::vector<double> distances;
  double passes = 0, unsure = 0;
  for (const stretch& one : some) {
    times.emplace_back(one.pass, one.passes);
    passes += static_cast<double>(one.passes);
    unsure += one.unsure;
  }
  const seconds usual = detail::weighted_median(times);
  for (const stretch& one : some)
    distances.push_back(std::abs(one.pass / usual - 1) * std::sqrt(static_cast<double>(one.passes)));
  // The median's standard error is 1.25 times the mean's; a normal deviation is 1.48 times the median one.
  const double seen = 1.25 * 1.48 * detail::median(distances);
  const auto n = static_cast<double>(some.size()) - 1;
  constexpr double weight_of_expected = 4;
  const double deviation = std::sqrt((n * seen * seen + weight_of_expected * numbers.noise * numbers.noise) /
                                     (n + weight_of_expected));
  return estimate{usual, std::hypot(deviation / std::sqrt(passes), unsure / passes)};
}

double worth_of(const estimate& there, const estimate& here, const horizon& left, const change_cost& cost,
                const std::optional<estimate>& tells_of) {
  const auto [part, chance] = saving_of(tells_of.value_or(there), here);
  const double saved = part * static_cast<double>(left.passes);
  if (left.is_free) return saved;
  const double lost = saving_of(there, here).part + there.pass / here.pass - 1;  // E[max(0, X - 1)]
  return saved - lost * cost.on_trial - cost.there * (2 - chance);
}

}  // namespace yoke::scheduling
