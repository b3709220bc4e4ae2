#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/number_range.hpp>
#include <yoke/performance.hpp>

namespace yoke::scheduling {

namespace {

/// Of Student's t at 97.5%, by degrees of freedom from 1.
constexpr std::array quantiles{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                               2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                               2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
constexpr double quantile_of_many = 1.960;

double quantile(int freedom) {
  const auto at = static_cast<std::size_t>(freedom - 1);
  return at < quantiles.size() ? quantiles[at] : quantile_of_many + 2.5 / freedom;
}

void check_point(const performance_point& point, std::int64_t before) {
  if (point.amount <= before)
    throw usage_error{
        fmt::format("performance_function: the amount {} comes behind {}; amounts grow, from 1 up",
                    point.amount, before)};
  if (!detail::amounts_or_none.has(point.time))
    throw usage_error{fmt::format("performance_function: {} s for the amount {}; {}", point.time,
                                  point.amount, detail::amounts_or_none.accepted())};
}

seconds on_line(const performance_point& a, const performance_point& b, std::int64_t amount) {
  const double share = static_cast<double>(amount - a.amount) / static_cast<double>(b.amount - a.amount);
  return a.time + (b.time - a.time) * share;
}

}  // namespace

void measured_time::add(seconds sample) {
  ++n_;
  const double distance = sample - mean_;
  mean_ += distance / n_;
  squares_ += distance * (sample - mean_);
}

double measured_time::relative_error() const {
  if (n_ < 2) return std::numeric_limits<double>::infinity();
  if (squares_ <= 0) return 0;
  return quantile(n_ - 1) * std::sqrt(squares_ / (n_ - 1) / n_) / mean_;
}

performance_function::performance_function(std::vector<performance_point> points, std::int64_t step)
    : points_{std::move(points)}, step_{step} {
  if (step < 1) throw usage_error{fmt::format("performance_function: steps of {}; 1 or more", step)};
  if (points_.empty()) throw usage_error{"performance_function: no points; one at least"};
  std::int64_t before = 0;
  for (const performance_point& point : points_) {
    check_point(point, before);
    before = point.amount;
  }
}

seconds performance_function::time(std::int64_t amount) const {
  if (amount <= 0) return 0;
  amount = next_multiple(amount, step_);
  const performance_point& last = points_.back();
  if (amount <= points_.front().amount) return points_.front().time;
  if (amount >= last.amount) {
    const performance_point& before = points_.size() > 1 ? points_[points_.size() - 2] : performance_point{};
    return std::max(last.time, on_line(before, last, amount));
  }
  const auto above = std::ranges::upper_bound(points_, amount, {},
                                              [](const performance_point& point) { return point.amount; });
  return on_line(*(above - 1), *above, amount);
}

performance_function by_weight(double weight, double most) {
  const double slower = weight > 0 ? std::min(most / weight, detail::amounts.most) : 1;
  return performance_function{{{.amount = 1, .time = slower}}};
}

}  // namespace yoke::scheduling
