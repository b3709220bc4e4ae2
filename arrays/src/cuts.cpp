#include "cuts.hpp"

#include "memory_speeds.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/performance.hpp>

namespace yoke::detail {

namespace {

using scheduling::amount_limits;
using scheduling::performance_function;
using scheduling::performance_point;

/// Parts are multiples of this: what a search over so many costs is nothing.
std::int64_t granularity_of(std::int64_t n) {
  constexpr std::int64_t most = 16'384;
  return std::max<std::int64_t>(1, n / most);
}

std::vector<std::int64_t> cuts_from(const rows_to_cut& rows,
                                    const std::vector<performance_function>& functions,
                                    std::vector<amount_limits> limits) {
  for (amount_limits& each : limits) each.least = std::min(rows.least, rows.n);
  std::vector<std::int64_t> cuts{0};
  for (const std::int64_t share : scheduling::distribute(rows.n, functions, limits, granularity_of(rows.n)))
    cuts.push_back(cuts.back() + share);
  return cuts;
}

void check_weights(std::span<const double> weights, int n_units) {
  if (std::ssize(weights) != n_units)
    throw usage_error{
        fmt::format("dist::weighted: {} weights for {} compute units; one for each, GPU CUs last",
                    weights.size(), n_units)};
  double all = 0;
  for (const double weight : weights) {
    if (!(weight >= 0) || !std::isfinite(weight))
      throw usage_error{fmt::format("dist::weighted: a weight of {}; 0 or more", weight)};
    all += weight;
  }
  if (all <= 0) throw usage_error{"dist::weighted: all weights are 0; one at least is more"};
}

std::vector<std::int64_t> weighted_cuts(std::span<const double> weights, const rows_to_cut& rows) {
  const double largest = std::ranges::max(weights);
  std::vector<performance_function> functions;
  std::vector<amount_limits> limits;
  for (const double weight : weights) {
    const bool takes_part = weight > 0;
    functions.emplace_back(std::vector<performance_point>{{1, takes_part ? largest / weight : 1}});
    limits.push_back(takes_part ? amount_limits{} : amount_limits{.most = 0});
  }
  return cuts_from(rows, functions, std::move(limits));
}

/// What was measured for bytes, for rows of so many.
performance_function for_rows(const performance_function& of_bytes, std::size_t bytes) {
  std::vector<performance_point> points;
  for (const performance_point& point : of_bytes.points()) {
    const std::int64_t rows = point.amount / std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes));
    if (rows > (points.empty() ? 0 : points.back().amount)) points.push_back({rows, point.time});
  }
  if (points.empty()) points.push_back({1, of_bytes.time(static_cast<std::int64_t>(bytes))});
  return performance_function{std::move(points)};
}

std::vector<std::int64_t> balanced_cuts(const rows_to_cut& rows, array_context& context) {
  const auto known = context.balanced.find(rows.n);
  if (known != context.balanced.end()) return known->second;
  if (context.speeds.empty()) context.speeds = measure_memory(context);
  std::vector<performance_function> functions;
  for (const performance_function& each : context.speeds) functions.push_back(for_rows(each, rows.bytes));
  return context.balanced[rows.n] = cuts_from(rows, functions, std::vector<amount_limits>(functions.size()));
}

}  // namespace

std::vector<std::int64_t> even_cuts(std::int64_t n, int parts) {
  std::vector<std::int64_t> cuts;
  for (int u = 0; u <= parts; ++u) cuts.push_back(u * (n / parts) + std::min<std::int64_t>(u, n % parts));
  return cuts;
}

std::vector<std::int64_t> cuts_of(const distribution& how, const rows_to_cut& rows, array_context& context) {
  if (how.of() == distribution::kind::weighted) {
    check_weights(how.weights(), context.n_units());
    return weighted_cuts(how.weights(), {.n = rows.n});
  }
  if (how.of() == distribution::kind::balanced) return balanced_cuts(rows, context);
  return even_cuts(rows.n, context.n_units());
}

}  // namespace yoke::detail
