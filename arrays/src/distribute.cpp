#include "cuts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

void check_part(const layout& made, int unit, int d) {
  const std::int64_t widest = std::max(made[d].low, made[d].high), n = made.part_of(unit)[d].size();
  if (n == 0 || n >= widest) return;
  throw usage_error{
      fmt::format("a halo of {} is wider than the part of unit {}, {} of {} elements of dimension "
                  "{}; use fewer compute units or a narrower halo",
                  widest, unit, n, made[d].extent, d)};
}

void check_parts(const layout& made) {
  for (int d = 0; d < made.dimensions; ++d) {
    if (made.cut_of(d).goes_round() && std::max(made[d].low, made[d].high) > 0)
      throw usage_error{
          fmt::format("dimension {}: a halo of {} and {} beside dist::{}, whose blocks have neighbours "
                      "everywhere; dist::block has halos",
                      d, made[d].low, made[d].high, made.cut_of(d).by->name)};
    if (made.is_cut(d))
      for (const int unit : made.grid.units)
        if (made.has_elements(unit)) check_part(made, unit, d);
  }
}

/// Parts and cells, from cuts and grid.
void find_parts(layout& of) {
  of.parts.assign(static_cast<std::size_t>(of.n_units), {});
  for (index_set& none : of.parts) none.sides.fill(strip{});
  std::map<std::array<int, 4>, cell> cells;
  for (int place = 0; place < std::ssize(of.grid.units); ++place) {
    const std::array<int, 4> at = of.grid.coordinates_of(place);
    const int unit = of.grid.units[static_cast<std::size_t>(place)];
    index_set& part = of.parts[static_cast<std::size_t>(unit)];
    std::array<int, 4> followed{};
    part.dimensions = of.dimensions;
    for (int d = 0; d < 4; ++d) {
      const int along = std::max(of.cut_of(d).along, 0);
      const int here = at[static_cast<std::size_t>(along)];
      part[d] = of.is_cut(d) ? of.cut_of(d).strip_of(here, of[d].extent) : strip{bound{of[d].extent}};
      if (of.is_cut(d)) followed[static_cast<std::size_t>(along)] = here;
    }
    cell& mine = cells[followed];
    mine.what = part;
    mine.units.push_back(unit);
  }
  of.cells.clear();
  of.cell_of.assign(static_cast<std::size_t>(of.n_units), -1);
  for (auto& [where, each] : cells) {
    if (each.what.empty()) continue;
    std::ranges::sort(each.units);
    for (const int unit : each.units)
      of.cell_of[static_cast<std::size_t>(unit)] = static_cast<int>(of.cells.size());
    of.cells.push_back(std::move(each));
  }
}

bool is_aligned(const distribution& of) { return kind_of(of).made_of == distribution_kind::needs::array; }

/// That of the arrays that dimensions are along; null without any.
const unit_grid* grid_of_others(std::span<const distribution> dims, const array_context& context) {
  const unit_grid* found = nullptr;
  for (const distribution& each : dims) {
    if (!is_aligned(each)) continue;
    const aligned_dimension& other = each.alignment();
    if (other.of != &context) throw usage_error{"dist::along: an array of another runtime"};
    if (found != nullptr && *found != other.with->grid)
      throw usage_error{"dist::along: dimensions are along arrays on different grids of units"};
    found = &other.with->grid;
  }
  return found;
}

/// Which side of the grid each distributed dimension follows.
void follow(layout& made, std::span<const distribution> dims, bool has_grid) {
  const auto is_taken = [&](int side) {
    return std::ranges::find(made.cut, side, &dimension_cut::along) != made.cut.end();
  };
  const auto refuse = [](int d, const std::string& what) {
    throw usage_error{fmt::format("dimension {} {}", d, what)};
  };
  for (int d = 0; d < made.dimensions; ++d) {
    const distribution& each = dims[static_cast<std::size_t>(d)];
    if (is_aligned(each)) {
      const aligned_dimension& other = each.alignment();
      const int side = other.with->cut_of(other.dimension).along;
      if (each.has_along()) refuse(d, "is dist::along an array, and follows the grid where that one does");
      if (is_taken(side))
        refuse(d, fmt::format("follows dimension {} of the grid, as another one does", side));
      made.cut[static_cast<std::size_t>(d)].along = side;
      continue;
    }
    if (!each.has_along()) continue;
    if (!has_grid) refuse(d, "follows one of a grid, and there is none; give a dist::grid behind the list");
    if (!each.is_distributed()) refuse(d, "is dist::duplicate, and follows none of the grid");
    if (each.along() < 0 || each.along() >= made.grid.dimensions)
      refuse(d, fmt::format("follows dimension {} of a grid that has [0, {})", each.along(),
                            made.grid.dimensions));
    if (is_taken(each.along()))
      refuse(d, fmt::format("follows dimension {} of the grid, as another one does", each.along()));
    made.cut[static_cast<std::size_t>(d)].along = each.along();
  }
  for (int d = 0; d < made.dimensions; ++d) {
    const distribution& each = dims[static_cast<std::size_t>(d)];
    if (!each.is_distributed() || each.has_along() || is_aligned(each)) continue;
    int side = 0;
    while (is_taken(side)) ++side;
    if (side >= made.grid.dimensions)
      refuse(d, fmt::format("is distributed, and the grid has {} dimensions, which others follow",
                            made.grid.dimensions));
    made.cut[static_cast<std::size_t>(d)].along = side;
  }
}

void cut(layout& made, std::span<const distribution> dims, bool is_alone, array_context& context) {
  for (int d = 0; d < made.dimensions; ++d) {
    const distribution& each = dims[static_cast<std::size_t>(d)];
    dimension_cut& of = made.cut[static_cast<std::size_t>(d)];
    if (kind_of(each).is_balanced && !is_alone)
      throw usage_error{
          fmt::format("dimension {} is dist::{}, which is for one distributed dimension without a "
                      "grid; dist::block or dist::weighted",
                      d, kind_of(each).name)};
    const int along = of.along;
    const side_to_cut side{.dimension = d,
                           .n = made[d].extent,
                           .least = std::max(made[d].low, made[d].high),
                           .places = of.is_cut() ? made.grid.side(along) : 1};
    check_length(each, side);
    if (!of.is_cut()) continue;
    of = cut_of(each, side, context);
    of.along = along;
    if (of.by->is_balanced) made.balanced = d;
  }
}

}  // namespace

layout redistributed(const layout& shape, std::span<const distribution> dims, const dist::grid* on,
                     array_context& context) {
  layout made = shape;
  const auto n_cut = static_cast<int>(std::ranges::count_if(dims, &distribution::is_distributed));
  made.n_cpu_units = context.n_cpu_units;
  made.n_units = context.n_units();
  const unit_grid* const of_others = grid_of_others(dims, context);
  if (of_others != nullptr && on != nullptr)
    throw usage_error{"dist::along: the array is on the grid of that which it is along; leave its own out"};
  made.grid = of_others != nullptr ? *of_others
              : on != nullptr      ? make_grid(*on, context)
                                   : grid_of_all(n_cut, context);
  made.balanced = -1;
  made.cut.fill({});
  follow(made, dims, on != nullptr || of_others != nullptr);
  cut(made, dims, on == nullptr && n_cut == 1, context);
  find_parts(made);
  check_parts(made);
  return made;
}

layout redistributed(const layout& shape, const layout& as) {
  layout made = shape;
  made.cut = as.cut;
  made.grid = as.grid;
  made.balanced = as.balanced;
  find_parts(made);
  check_parts(made);
  return made;
}

layout cut_anew(const layout& shape, std::vector<std::int64_t> cuts) {
  layout made = shape;
  made.cut[static_cast<std::size_t>(shape.balanced)].cuts = std::move(cuts);
  find_parts(made);
  return made;
}

layout transposed(const layout& shape) {
  layout made = shape;
  for (dimension& each : made.dims) each = {.extent = each.extent};
  std::swap(made.dims[0], made.dims[1]);
  std::swap(made.cut[0], made.cut[1]);
  if (shape.balanced >= 0) made.balanced = 1 - shape.balanced;
  find_parts(made);
  return made;
}

}  // namespace yoke::detail
