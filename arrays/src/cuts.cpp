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

void check_weights(std::span<const double> weights, int places, int n_units) {
  if (std::ssize(weights) != places)
    throw usage_error{
        places == n_units
            ? fmt::format("dist::weighted: {} weights for {} compute units; one for each, GPU CUs last",
                          weights.size(), places)
            : fmt::format("dist::weighted: {} weights for {} places of the grid's dimension; one for each",
                          weights.size(), places)};
  double all = 0;
  for (const double weight : weights) {
    if (!(weight >= 0) || !std::isfinite(weight))
      throw usage_error{fmt::format("dist::weighted: a weight of {}; 0 or more", weight)};
    all += weight;
  }
  if (all <= 0) throw usage_error{"dist::weighted: all weights are 0; one at least is more"};
}

std::vector<std::int64_t> cuts_of_length(std::int64_t length, const side_to_cut& side) {
  std::vector<std::int64_t> cuts{0};
  for (int place = 0; place < side.places; ++place)
    cuts.push_back(cuts.back() + std::min(length, side.n - cuts.back()));
  return cuts;
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

void check_length(const distribution& how, const side_to_cut& side) {
  const bool is_block = how.of() == distribution::kind::block;
  if (!how.has_length()) return;
  if (!is_block && how.of() != distribution::kind::cyclic)
    throw usage_error{fmt::format(
        "dimension {}: a distribution with blocks of {} elements; only dist::block and dist::cyclic have a "
        "length",
        side.dimension, how.length())};
  if (how.length() < 1)
    throw usage_error{fmt::format("dimension {}: dist::{}({}): blocks have 1 element or more", side.dimension,
                                  is_block ? "block" : "cyclic", how.length())};
  if (is_block && side.n > 0 && (side.n - 1) / how.length() >= side.places)
    throw usage_error{
        fmt::format("dimension {}: dist::block({}) has room for {} blocks, one for each part, and not for {} "
                    "elements; longer blocks, or dist::cyclic({}), which goes round",
                    side.dimension, how.length(), side.places, side.n, how.length())};
}

dimension_cut cut_of(const distribution& how, const side_to_cut& side, array_context& context) {
  using kind = distribution::kind;
  switch (how.of()) {
    case kind::weighted:
      check_weights(how.weights(), side.places, context.n_units());
      return {.cuts = weighted_cuts(how.weights(), side.n)};
    case kind::balanced:
      return {.cuts = balanced_cuts({.n = side.n, .least = side.least}, context)};
    case kind::cyclic:
      return {.cyclic = how.has_length() ? how.length() : 1};
    default:
      return {.cuts = how.has_length() ? cuts_of_length(how.length(), side) : even_cuts(side.n, side.places)};
  }
}

}  // namespace yoke::detail
