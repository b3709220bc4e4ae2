/// Loops whose indices are not shared as their arrays are.
#include "../shapes/distribution_kinds.hpp"
#include "loop_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include <yoke/error.hpp>
#include <yoke/loop_sharing.hpp>

namespace yoke::detail {

namespace {

/// Indices of a loop that a unit runs and has no elements for.
struct misplaced {
  int unit;
  bound indices;
};

/// The first ones that there are if dimension `d` of an array goes along `of_loop`.
std::optional<misplaced> first_misplaced(const loop_parts& parts, const layout& shape, int d, int of_loop) {
  std::optional<misplaced> found;
  for (int unit = 0; unit < shape.n_units && !found; ++unit) {
    const strip part = shape.rows_of(unit, d);
    parts.share_of(unit).for_each([&](const any_box& box) {
      const bound& side = box[of_loop];
      if (contains(part.hull(), side) && (part.is_range() || contains(part.piece_of(side.begin), side)))
        return;
      if (!found) found = {unit, side};
    });
  }
  return found;
}

/// The dimension of the loop that a cut one goes along: a row or column may be that of any.
int dimension_along(const loop_parts& parts, std::size_t i, int d) {
  const layout& shape = parts.uses[i].elements->shape();
  const bool is_any = shape.dimensions < parts.over.dimensions;
  std::optional<misplaced> first;
  for (int of_loop = is_any ? 0 : d; of_loop < (is_any ? parts.over.dimensions : d + 1); ++of_loop) {
    const std::optional<misplaced> found = first_misplaced(parts, shape, d, of_loop);
    if (!found) return of_loop;
    if (!first) first = found;
  }
  refuse(parts, i,
         fmt::format(
             "is cut so that unit {}, which runs the indices [{}, {}) of dimension {}, has others of it; "
             "share the loop as the array is, with aligned(x), or leave it to the arrays",
             first->unit, first->indices.begin, first->indices.end, is_any ? 0 : d));
}

std::shared_ptr<const layout> layout_of(const loop_parts& parts, const loop_sharing& sharing) {
  const auto refuse = [&](const std::string& what) {
    throw usage_error{fmt::format("for_each '{}': distributed: {}", parts.name, what)};
  };
  std::vector<distribution> dims = sharing.dims();
  if (std::ssize(dims) > parts.over.dimensions)
    refuse(fmt::format("{} distributions for a loop of {} dimensions", dims.size(), parts.over.dimensions));
  if (std::ranges::any_of(dims, has_halo_or_edge))
    refuse("a halo or an edge, which arrays have; a loop has none");
  dims.resize(static_cast<std::size_t>(parts.over.dimensions), dist::duplicate);
  array_shape shape{.dimensions = parts.over.dimensions};
  for (int d = 0; d < shape.dimensions; ++d) {
    if (parts.over[d].begin < 0)
      refuse(fmt::format("the loop begins with {} in dimension {}; 0 or more", parts.over[d].begin, d));
    shape.extents[static_cast<std::size_t>(d)] = std::max(parts.over[d].begin, parts.over[d].end);
  }
  const dist::grid* const on = sharing.grid() ? &*sharing.grid() : nullptr;
  return std::make_shared<const layout>(make_layout_of_loop(shape, dims, on, parts.context));
}

}  // namespace

void share_by_hand(loop_parts& parts, const loop_sharing& sharing) {
  if (sharing.as() == nullptr) {
    parts.made_of = sharing;
    return;
  }
  if (sharing.grid())
    throw usage_error{fmt::format("for_each '{}': aligned: a loop is on the grid of its array", parts.name)};
  parts.aligned = &sharing.as()->state();
  if (&parts.aligned->context() != &parts.context)
    throw usage_error{fmt::format("for_each '{}': aligned with an array of another runtime", parts.name)};
  static_cast<void>(parts.aligned->usable("aligned"));
}

void cut_own(loop_parts& parts) {
  if (parts.made_of) parts.own = layout_of(parts, *parts.made_of);
}

void check_own_shares(loop_parts& parts, std::size_t i) {
  used_array& use = parts.uses[i];
  const layout& shape = use.elements->shape();
  if (writes(use) && shape.is_replicated())
    refuse(parts, i, "is written, and in several memories, each of which would have other elements of it");
  for (int d = 0; d < shape.dimensions; ++d)
    if (shape.is_cut(d)) use.along[static_cast<std::size_t>(d)] = dimension_along(parts, i, d);
}

}  // namespace yoke::detail
