#include "cuts.hpp"

#include "balance.hpp"

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

std::vector<std::int64_t> weighted_cuts(std::span<const double> weights, std::int64_t n) {
  const double largest = std::ranges::max(weights);
  std::vector<performance_function> functions;
  std::vector<amount_limits> limits;
  for (const double weight : weights) {
    const bool takes_part = weight > 0;
    functions.emplace_back(std::vector<performance_point>{{1, takes_part ? largest / weight : 1}});
    limits.push_back(takes_part ? amount_limits{} : amount_limits{.most = 0});
  }
  return cuts_after(scheduling::distribute(n, functions, limits, granularity_of(n)));
}

}  // namespace

std::vector<std::int64_t> even_cuts(std::int64_t n, int parts) {
  std::vector<std::int64_t> cuts;
  for (int u = 0; u <= parts; ++u) cuts.push_back(u * (n / parts) + std::min<std::int64_t>(u, n % parts));
  return cuts;
}

std::vector<std::int64_t> cuts_after(std::span<const std::int64_t> shares) {
  std::vector<std::int64_t> cuts{0};
  for (const std::int64_t share : shares) cuts.push_back(cuts.back() + share);
  return cuts;
}

std::vector<std::int64_t> cuts_of(const distribution& how, const rows_to_cut& rows, array_context& context) {
  if (how.of() == distribution::kind::weighted) {
    check_weights(how.weights(), context.n_units());
    return weighted_cuts(how.weights(), rows.n);
  }
  if (how.of() == distribution::kind::balanced) return balanced_cuts(rows, context);
  return even_cuts(rows.n, context.n_units());
}

}  // namespace yoke::detail
