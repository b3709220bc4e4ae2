#include "layout.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

void check_number_of_dimensions(const array_shape& shape, std::span<const distribution> given) {
  if (given.empty() || std::ssize(given) == shape.dimensions) return;
  throw usage_error{fmt::format("an array of {} dimensions got {} distributions; one for each dimension",
                                shape.dimensions, given.size())};
}

void check_extent(int d, std::int64_t extent) {
  if (extent >= 0) return;
  throw usage_error{fmt::format("dimension {} has {} elements; 0 or more", d, extent)};
}

/// How wide a halo may be where its edge is `policy`.
std::int64_t widest(edge_policy policy, std::int64_t extent) {
  if (policy == edge_policy::periodic) return extent;
  if (policy == edge_policy::reflecting) return extent - 1;
  return std::numeric_limits<std::int64_t>::max();
}

void check_side(int d, const char* side, std::int64_t width, edge_policy policy, std::int64_t extent) {
  if (width < 0) throw usage_error{fmt::format("dimension {}: a {} halo of {}; 0 or more", d, side, width)};
  if (width <= widest(policy, extent)) return;
  throw usage_error{fmt::format("dimension {}: a {} {} halo of {} with {} elements; {} at most", d,
                                policy == edge_policy::periodic ? "periodic" : "reflecting", side, width,
                                extent, widest(policy, extent))};
}

dimension make_dimension(int d, std::int64_t extent, const distribution& of) {
  check_extent(d, extent);
  if (d > 0 && of.is_distributed())
    throw usage_error{fmt::format(
        "dimension {} is not dist::duplicate; dimension 0 is the one that can be distributed", d)};
  dimension made{extent, of.low(), of.high(), of.at_low(), of.at_high()};
  if (extent == 0) made.at_low = made.at_high = edge_policy::none;
  check_side(d, "low", made.low, made.at_low, extent);
  check_side(d, "high", made.high, made.at_high, extent);
  return made;
}

void check_parts(const layout& made) {
  const std::int64_t widest = std::max(made[0].low, made[0].high);
  for (std::size_t u = 0; u + 1 < made.cuts.size(); ++u) {
    const std::int64_t rows = made.cuts[u + 1] - made.cuts[u];
    if (rows == 0 || rows >= widest) continue;
    throw usage_error{
        fmt::format("a halo of {} is wider than the part of unit {}, {} of {} elements of dimension "
                    "0; use fewer compute units or a narrower halo",
                    widest, u, rows, made[0].extent)};
  }
}

void check_size(const layout& made) {
  __int128 bytes = static_cast<__int128>(made.element);
  for (const dimension& each : made.dims) bytes *= std::max<std::int64_t>(each.padded(), 1);
  if (bytes <= std::numeric_limits<std::int64_t>::max()) return;
  throw usage_error{"an array of more than 2^63 bytes; the product of its extents is too large"};
}

}  // namespace

std::int64_t dimension::inside(std::int64_t at) const {
  if (at < 0) return at_low == edge_policy::periodic ? at + extent : -at;
  if (at >= extent) return at_high == edge_policy::periodic ? at - extent : 2 * (extent - 1) - at;
  return at;
}

std::int64_t layout::stride(int d) const {
  std::int64_t elements = 1;
  for (int inner = d + 1; inner < 4; ++inner) elements *= (*this)[inner].padded();
  return elements;
}

std::size_t layout::bytes() const {
  std::size_t all = element;
  for (const dimension& each : dims) all *= static_cast<std::size_t>(each.extent);
  return all;
}

bool layout::has_pads() const {
  return std::ranges::any_of(dims, [](const dimension& each) { return each.padded() > each.extent; });
}

bool layout::has_inner_pads() const {
  return std::any_of(dims.begin() + 1, dims.end(),
                     [](const dimension& each) { return each.padded() > each.extent; });
}

bound layout::rows_of(int unit) const {
  if (!distributed) return {0, dims[0].extent};
  const auto u = static_cast<std::size_t>(unit);
  return {cuts[u], cuts[u + 1]};
}

bool layout::is_aligned_with(const layout& other) const {
  return distributed == other.distributed && cuts == other.cuts;
}

layout make_layout(const array_shape& shape, std::span<const distribution> given, array_context& context) {
  check_number_of_dimensions(shape, given);
  layout made{.dimensions = shape.dimensions, .element = shape.element, .cuts = {}};
  for (int d = 0; d < shape.dimensions; ++d) {
    const auto at = static_cast<std::size_t>(d);
    const distribution& by_default = d == 0 ? dist::balanced : dist::duplicate;
    made.dims[at] = make_dimension(d, shape.extents[at], given.empty() ? by_default : given[at]);
  }
  check_size(made);
  return redistributed(made, given.empty() ? dist::balanced : given[0], context);
}

layout redistributed(const layout& shape, const distribution& rows, array_context& context) {
  layout made = shape;
  made.distributed = rows.is_distributed();
  made.balanced = rows.of() == distribution::kind::balanced;
  made.cuts.clear();
  if (made.distributed)
    made.cuts = cuts_of(rows, {made[0].extent, std::max(made[0].low, made[0].high)}, context);
  check_parts(made);
  return made;
}

layout redistributed(const layout& shape, const layout& as) {
  layout made = shape;
  made.distributed = as.distributed;
  made.balanced = as.balanced;
  made.cuts = as.cuts;
  check_parts(made);
  return made;
}

}  // namespace yoke::detail
