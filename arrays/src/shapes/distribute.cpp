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
    if (made.cut_of(d).follows_rows() && std::max(made[d].low, made[d].high) > 0)
      throw usage_error{fmt::format(
          "dimension {}: a halo of {} and {} beside dist::by, whose elements follow rows and have no "
          "neighbours; none",
          d, made[d].low, made[d].high)};
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
      const auto side = static_cast<std::size_t>(std::max(of.cut_of(d).grid_side, 0));
      const int here = at[side];
      part[d] = of.is_cut(d) ? of.cut_of(d).strip_of(here, of[d].extent) : strip{bound{of[d].extent}};
      if (of.is_cut(d)) followed[side] = here;
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

[[noreturn]] void refuse(int d, const std::string& what) {
  throw usage_error{fmt::format("dimension {} {}", d, what)};
}

constexpr int no_side = -1;

/// The side of the grid that a distribution names itself or by an array; none where it takes what is left.
int named_side(const distribution& of) {
  if (is_aligned(of)) return of.alignment().with->cut_of(of.alignment().dimension).grid_side;
  return of.has_along() ? of.along() : no_side;
}

bool takes_what_is_left(const distribution& of) { return of.is_distributed() && named_side(of) == no_side; }

void check_named_side(const distribution& of, int d, const unit_grid& grid, bool has_grid) {
  if (!of.has_along()) return;
  if (is_aligned(of)) refuse(d, "is dist::along an array, and follows the grid where that one does");
  if (!has_grid) refuse(d, "follows one of a grid, and there is none; pass a dist::grid after the list");
  if (!of.is_distributed()) refuse(d, "is dist::duplicate, and follows none of the grid");
  if (of.along() < 0 || of.along() >= grid.dimensions)
    refuse(d, fmt::format("follows dimension {} of a grid that has [0, {})", of.along(), grid.dimensions));
}

/// That each side is named once at most, and that there are as many as are needed.
void check_sides(std::span<const distribution> dims, const unit_grid& grid, bool has_grid) {
  std::vector<int> named;
  for (int d = 0; d < std::ssize(dims); ++d) {
    const distribution& each = dims[static_cast<std::size_t>(d)];
    check_named_side(each, d, grid, has_grid);
    const int side = named_side(each);
    if (side == no_side) continue;
    if (std::ranges::count(named, side) > 0)
      refuse(d, fmt::format("follows dimension {} of the grid, as another one does", side));
    named.push_back(side);
  }
  std::int64_t n_left = grid.dimensions - std::ssize(named);
  for (int d = 0; d < std::ssize(dims); ++d)
    if (takes_what_is_left(dims[static_cast<std::size_t>(d)]) && n_left-- == 0)
      refuse(d, fmt::format("is distributed, and the grid has {} dimensions, which others follow",
                            grid.dimensions));
}

/// Those that are named first; the others in order. Requires: check_sides.
void assign_sides(layout& made, std::span<const distribution> dims) {
  std::array<dimension_cut, 4>& cut = made.cut;
  for (std::size_t d = 0; d < dims.size(); ++d) cut[d].grid_side = named_side(dims[d]);
  int left = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (!takes_what_is_left(dims[d])) continue;
    while (std::ranges::count(cut, left, &dimension_cut::grid_side) > 0) ++left;
    cut[d].grid_side = left;
  }
}

void cut(layout& made, std::span<const distribution> dims, bool is_alone, array_context& context) {
  for (int d = 0; d < made.dimensions; ++d) {
    const distribution& each = dims[static_cast<std::size_t>(d)];
    dimension_cut& of = made.cut[static_cast<std::size_t>(d)];
    const distribution& rows = each.of() == distribution::kind::by ? each.rows()->how : each;
    if (kind_of(rows).is_balanced && !is_alone)
      throw usage_error{
          fmt::format("dimension {} is dist::{}, which is for one distributed dimension without a "
                      "grid; dist::block or dist::weighted",
                      d, kind_of(rows).name)};
    const int grid_side = of.grid_side;
    const side_to_cut side{.dimension = d,
                           .n = made[d].extent,
                           .least = std::max(made[d].low, made[d].high),
                           .places = of.is_cut() ? made.grid.side(grid_side) : 1};
    check_length(each, side);
    if (!of.is_cut()) continue;
    of = cut_of(each, side, context);
    of.grid_side = grid_side;
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
  check_sides(dims, made.grid, on != nullptr || of_others != nullptr);
  assign_sides(made, dims);
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
  made.cut[static_cast<std::size_t>(shape.balanced)].cut_at(std::move(cuts));
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
