#include "../src/loops/balance.hpp"
#include "../src/shapes/distribution_kinds.hpp"

namespace yoke::detail {

extern const distribution_kind balanced_distribution;
constinit const distribution_kind balanced_distribution{
    .name = "balanced",
    .is_balanced = true,
    .cut = [](const distribution&, const side_to_cut& side, array_context& context) -> dimension_cut {
      return {.cuts = balanced_cuts({.n = side.n, .least = side.least}, context)};
    }};

}  // namespace yoke::detail
