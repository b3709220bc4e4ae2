#include "../src/shapes/cuts.hpp"

#include <fmt/format.h>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// Balanced arrays with equally many elements are cut alike as they are.
dimension_cut cut_like(const aligned_dimension& other, const side_to_cut& side, array_context& context) {
  const layout& with = *other.with;
  if (side.n != with[other.dimension].extent)
    throw usage_error{
        fmt::format("dimension {} has {} elements, and dimension {} of the array that it is along has {}",
                    side.dimension, side.n, other.dimension, with[other.dimension].extent)};
  dimension_cut cut = with.cut_of(other.dimension);
  if (with.balanced != other.dimension) return cut;
  if (!cut.follows_rows()) return cut_of(dist::balanced, side, context);
  cut.cut_at(cut_of(dist::balanced, {.n = cut.row_cuts.back(), .places = side.places}, context).cuts);
  return cut;
}

}  // namespace

extern const distribution_kind aligned_distribution;
constinit const distribution_kind aligned_distribution{
    .name = "along",
    .made_of = distribution_kind::needs::array,
    .cut = [](const distribution& how, const side_to_cut& side, array_context& context) {
      return cut_like(how.alignment(), side, context);
    }};

}  // namespace yoke::detail
