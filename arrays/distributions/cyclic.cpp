#include "../src/shapes/distribution_kinds.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace yoke::detail {

extern const distribution_kind cyclic_distribution;
constinit const distribution_kind cyclic_distribution{
    .name = "cyclic",
    .length = distribution_kind::lengths::of_blocks_in_turn,
    .cut = [](const distribution& how, const side_to_cut& side, array_context&) -> dimension_cut {
      const std::int64_t length = how.has_length() ? how.length() : 1;
      return {.round = std::vector(static_cast<std::size_t>(side.places), length)};
    }};

}  // namespace yoke::detail
