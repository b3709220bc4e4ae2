#include "../src/shapes/cuts.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <vector>

#include <yoke/detail/checked_size.hpp>
#include <yoke/error.hpp>
#include <yoke/number_range.hpp>
#include <yoke/performance.hpp>

namespace yoke::detail {

namespace {

using scheduling::amount_limits;
using scheduling::performance_function;

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
    if (!amounts_or_none.has(weight))
      throw usage_error{
          fmt::format("dist::weighted: a weight of {}; {}", weight, amounts_or_none.accepted())};
    all += weight;
  }
  if (all <= 0) throw usage_error{"dist::weighted: all weights are 0; one at least is more"};
}

std::vector<std::int64_t> weighted_cuts(std::span<const double> weights, std::int64_t n) {
  const double largest = std::ranges::max(weights);
  std::vector<performance_function> functions;
  std::vector<amount_limits> limits;
  for (const double weight : weights) {
    functions.push_back(scheduling::by_weight(weight, largest));
    limits.push_back(weight > 0 ? amount_limits{} : amount_limits{.most = 0});
  }
  return cuts_after(scheduling::distribute(n, functions, limits, granularity_of(n)));
}

}  // namespace

extern const distribution_kind weighted_distribution;
constinit const distribution_kind weighted_distribution{
    .name = "weighted",
    .made_of = distribution_kind::needs::weights,
    .cut = [](const distribution& how, const side_to_cut& side, array_context& context) -> dimension_cut {
      check_weights(how.weights(), side.places, context.n_units());
      if (side.n > most_indices)
        throw usage_error{fmt::format("dimension {}: dist::weighted shares {} indices; {} at most",
                                      side.dimension, side.n, most_indices)};
      return {.cuts = weighted_cuts(how.weights(), side.n)};
    }};

}  // namespace yoke::detail
