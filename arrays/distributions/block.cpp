#include "../src/shapes/distribution_kinds.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace yoke::detail {

namespace {

/// As even as can be, the first ones one longer.
std::vector<std::int64_t> even_cuts(const side_to_cut& side) {
  const std::int64_t each = side.n / side.places, left = side.n % side.places;
  std::vector<std::int64_t> cuts;
  for (int p = 0; p <= side.places; ++p) cuts.push_back(p * each + std::min<std::int64_t>(p, left));
  return cuts;
}

std::vector<std::int64_t> cuts_of_length(std::int64_t length, const side_to_cut& side) {
  std::vector<std::int64_t> cuts{0};
  for (int place = 0; place < side.places; ++place)
    cuts.push_back(cuts.back() + std::min(length, side.n - cuts.back()));
  return cuts;
}

}  // namespace

extern const distribution_kind block_distribution;
constinit const distribution_kind block_distribution{
    .name = "block",
    .length = distribution_kind::lengths::of_one_block_each,
    .cut = [](const distribution& how, const side_to_cut& side, array_context&) -> dimension_cut {
      return {.cuts = how.has_length() ? cuts_of_length(how.length(), side) : even_cuts(side)};
    }};

}  // namespace yoke::detail
