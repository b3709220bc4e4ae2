#include "layout.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include <yoke/detail/checked_size.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

void check_number_of_dimensions(const array_shape& shape, std::span<const distribution> given) {
  if (given.empty() || std::ssize(given) == shape.dimensions) return;
  throw usage_error{fmt::format("an array of {} dimensions got {} distributions; one for each dimension",
                                shape.dimensions, given.size())};
}

void check_extent(int d, std::int64_t extent) {
  if (extent >= 0 && extent <= most_indices) return;
  throw usage_error{fmt::format("dimension {} has {} elements; 0 or more{}", d, extent,
                                extent < 0 ? "" : fmt::format(", {} at most", most_indices))};
}

/// Of any halo: what begins before the first index of an array and ends behind its last is a number still.
constexpr std::int64_t most_of_halo = most_indices / 4;

/// How wide a halo may be where its edge is `policy`.
std::int64_t widest(edge_policy policy, std::int64_t extent) {
  if (policy == edge_policy::periodic) return std::min(extent, most_of_halo);
  if (policy == edge_policy::reflecting) return std::min(extent - 1, most_of_halo);
  return most_of_halo;
}

const char* adjective_of(edge_policy policy) {
  if (policy == edge_policy::periodic) return "periodic ";
  return policy == edge_policy::reflecting ? "reflecting " : "";
}

void check_side(int d, const char* side, std::int64_t width, edge_policy policy, std::int64_t extent) {
  if (width < 0) throw usage_error{fmt::format("dimension {}: a {} halo of {}; 0 or more", d, side, width)};
  if (width <= widest(policy, extent)) return;
  throw usage_error{fmt::format("dimension {}: a {}{} halo of {} with {} elements; {} at most", d,
                                adjective_of(policy), side, width, extent, widest(policy, extent))};
}

dimension make_dimension(int d, std::int64_t extent, const distribution& of) {
  dimension made{extent, of.low(), of.high(), of.at_low(), of.at_high()};
  if (extent == 0) made.at_low = made.at_high = edge_policy::none;
  check_side(d, "low", made.low, made.at_low, extent);
  check_side(d, "high", made.high, made.at_high, extent);
  return made;
}

void check_size(const layout& made) {
  std::array<std::size_t, 4> extents{};
  std::ranges::transform(made.dims, extents.begin(),
                         [](const dimension& each) { return static_cast<std::size_t>(each.padded()); });
  const std::span all{extents};
  static_cast<void>(
      bytes_of_elements(made.has_pads() ? "an array, with the elements beyond its edges," : "an array",
                        all.first(static_cast<std::size_t>(made.dimensions)), made.element));
}

}  // namespace

std::int64_t dimension::inside(std::int64_t at) const {
  if (at < 0) return at_low == edge_policy::periodic ? at + extent : -at;
  if (at >= extent) return at_high == edge_policy::periodic ? at - extent : 2 * (extent - 1) - at;
  return at;
}

strip dimension_cut::strip_of(int place, std::int64_t n) const {
  const auto p = static_cast<std::size_t>(place);
  if (!goes_round()) return strip{bound{cuts[p], cuts[p + 1]}};
  // Neither a block nor the round counts for more than there is: their sum may be more than a number holds.
  const std::int64_t most = std::max<std::int64_t>(n, 1);
  const auto length_of = [&](std::size_t q) { return std::min(round[q], most); };
  std::int64_t begin = 0, period = 0;
  for (std::size_t q = 0; q < round.size(); ++q) {
    if (q == p) begin = std::min(period, n);
    period = length_of(q) < most - period ? period + length_of(q) : most;
  }
  return {bound{begin, n}, length_of(p), period};
}

int dimension_cut::place_of(std::int64_t at) const {
  if (!goes_round()) return static_cast<int>(std::ranges::upper_bound(cuts, at) - cuts.begin()) - 1;
  const __int128 period = std::accumulate(round.begin(), round.end(), __int128{0});
  auto left = static_cast<std::int64_t>(at % period);
  int place = 0;
  for (auto length = round.begin(); left >= *length; ++length, ++place) left -= *length;
  return place;
}

void dimension_cut::cut_at(std::vector<std::int64_t> places) {
  cuts = std::move(places);
  if (!follows_rows()) return;
  row_cuts = cuts;
  for (std::int64_t& each : cuts) each = (*offsets)[static_cast<std::size_t>(each)];
}

strip layout::rows_of(int unit, int d) const {
  if (!cut_of(d).follows_rows()) return part_of(unit)[d];
  const auto place = std::ranges::find(grid.units, unit) - grid.units.begin();
  if (place == std::ssize(grid.units)) return {};
  const auto at = static_cast<std::size_t>(
      grid.coordinates_of(static_cast<int>(place))[static_cast<std::size_t>(cut_of(d).grid_side)]);
  return strip{bound{cut_of(d).row_cuts[at], cut_of(d).row_cuts[at + 1]}};
}

bool layout::follows_rows() const { return std::ranges::any_of(cut, &dimension_cut::follows_rows); }

bool layout::is_distributed() const {
  return std::ranges::any_of(cut, [](const dimension_cut& each) { return each.is_cut(); });
}

bool layout::is_replicated() const {
  return std::ranges::any_of(cells, [](const cell& each) { return each.units.size() > 1; });
}

std::size_t layout::bytes() const {
  std::size_t size = element;
  for (const dimension& each : dims) size *= static_cast<std::size_t>(each.extent);
  return size;
}

any_box layout::all() const {
  any_box box{.dimensions = dimensions};
  for (int d = 0; d < 4; ++d) box[d] = {0, (*this)[d].extent};
  return box;
}

bool layout::has_pads() const {
  return std::ranges::any_of(dims, [](const dimension& each) { return each.padded() > each.extent; });
}

any_box box_held_for(const layout& shape, const any_box& own) {
  any_box held = own;
  for (int d = 0; d < 4; ++d) {
    if (own.empty()) {
      held[d].end = held[d].begin;
      continue;
    }
    const bound with_halo{own[d].begin - shape[d].low, own[d].end + shape[d].high};
    held[d] = common(with_halo, shape[d].with_pads());
  }
  return held;
}

namespace {

layout uncut(const array_shape& shape, std::span<const distribution> given) {
  layout made{.dimensions = shape.dimensions, .element = shape.element};
  for (int d = 0; d < shape.dimensions; ++d) {
    const auto at = static_cast<std::size_t>(d);
    made.dims[at] = make_dimension(d, shape.extents[at], given[at]);
  }
  return made;
}

}  // namespace

layout make_layout_of_loop(const array_shape& bounds, std::span<const distribution> dims,
                           const dist::grid* on, array_context& context) {
  return redistributed(uncut(bounds, dims), dims, on, context);
}

layout make_layout(const array_shape& shape, std::span<const distribution> given, const dist::grid* on,
                   array_context& context) {
  check_number_of_dimensions(shape, given);
  static const std::array by_default{dist::balanced, dist::duplicate, dist::duplicate, dist::duplicate};
  if (given.empty()) given = std::span{by_default}.first(static_cast<std::size_t>(shape.dimensions));
  for (int d = 0; d < shape.dimensions; ++d) check_extent(d, shape.extents[static_cast<std::size_t>(d)]);
  const layout made = uncut(shape, given);
  check_size(made);
  return redistributed(made, given, on, context);
}

namespace {

/// Whether `with` goes on where `into` ends in one dimension, and is alike in the others. Where blocks go
/// round, each part keeps to itself: what lies beside it is found by one place for each dimension.
bool merge(index_set& into, const index_set& with, const layout& shape) {
  int other = -1;
  for (int d = 0; d < 4; ++d) {
    if (into[d] == with[d]) continue;
    if (other >= 0 || !into[d].is_range() || !with[d].is_range()) return false;
    other = d;
  }
  if (other < 0 || into[other].end != with[other].begin || shape.cut_of(other).goes_round()) return false;
  into[other] = strip{bound{into[other].begin, with[other].end}};
  return true;
}

}  // namespace

std::vector<index_set> host_elements(const layout& shape) {
  std::vector<index_set> all;
  for (const cell& each : shape.cells)
    if (each.units.front() < shape.n_cpu_units) all.push_back(each.what);
  if (!all.empty() && all.size() == shape.cells.size()) return {index_set{shape.all()}};
  for (int d = 3; d >= 0; --d) {
    std::vector<index_set> merged;
    for (const index_set& each : all) {
      const auto ends_there =
          std::ranges::find_if(merged, [&](index_set& before) { return merge(before, each, shape); });
      if (ends_there == merged.end()) merged.push_back(each);
    }
    all = std::move(merged);
  }
  return all;
}

}  // namespace yoke::detail
