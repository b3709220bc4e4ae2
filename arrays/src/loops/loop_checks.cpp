/// Whether the arrays of a loop go together.
#include "loop_parts.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/detail/checked_size.hpp>
#include <yoke/detail/loop_kernels.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

void refuse(const loop_parts& parts, std::size_t use, const std::string& what) {
  throw usage_error{fmt::format("for_each '{}': {}, array {} of the loop, counted from 1, {}", parts.name,
                                parts.uses[use].state->called(), use + 1, what)};
}

namespace {

/// Null where nothing says who runs what.
const contents* leader_of(const std::vector<used_array>& uses) {
  const auto first_written = std::ranges::find_if(uses, is_written);
  if (first_written != uses.end()) return first_written->elements;
  const auto first = [&](bool follows_rows) {
    return std::ranges::find_if(uses, [&](const used_array& use) {
      const layout& shape = use.elements->shape();
      return !use.is_everywhere && !use.is_result && shape.is_distributed() &&
             shape.follows_rows() == follows_rows;
    });
  };
  for (const bool follows_rows : {false, true})
    if (const auto found = first(follows_rows); found != uses.end()) return found->elements;
  return nullptr;
}

/// The dimension of the leader that is cut alike. A row or column of it may be cut as any dimension is.
int dimension_like(const used_array& use, int d, const layout& leader) {
  const layout& shape = use.elements->shape();
  const auto if_alike = [&](int of_leader) {
    return are_cut_alike(shape, d, leader, of_leader) ? of_leader : no_dimension;
  };
  if (use.is_transposed) return if_alike(1 - d);
  if (shape.dimensions >= leader.dimensions) return if_alike(d);
  for (int of_leader = 0; of_leader < leader.dimensions; ++of_leader)
    if (if_alike(of_leader) != no_dimension) return of_leader;
  return no_dimension;
}

/// Whether each unit that has elements of the array computes them.
bool is_computed_everywhere(const used_array& use, const layout& leader) {
  const layout& shape = use.elements->shape();
  for (int d = 0; d < leader.dimensions; ++d)
    if (leader.is_cut(d) && !shape.is_cut(use.is_transposed ? 1 - d : d)) return false;
  for (int unit = 0; unit < shape.n_units; ++unit)
    if (shape.has_elements(unit) && !leader.has_elements(unit)) return false;
  return true;
}

const char* leading(const loop_parts& parts) {
  return parts.aligned != nullptr ? "the array that the loop is aligned with"
                                  : "the first array that is written";
}

void check_alignment(loop_parts& parts, std::size_t i) {
  used_array& use = parts.uses[i];
  use.along = {0, 1, 2, 3};
  if (use.is_transposed) use.along.fill(no_dimension);
  const layout& shape = use.elements->shape();
  const layout& leader = *parts.shape();
  if (use.elements == parts.leader || &shape == &leader || shape == leader || use.is_everywhere) return;
  if (parts.own != nullptr) return check_own_shares(parts, i);
  if (shape.is_distributed() && !leader.is_distributed())
    refuse(
        parts, i,
        fmt::format("is distributed, but {} is not: each memory would compute all of it, and has a part of "
                    "this one only",
                    leading(parts)));
  for (int d = 0; d < shape.dimensions; ++d) {
    if (!shape.is_cut(d)) continue;
    const int like = dimension_like(use, d, leader);
    if (like == no_dimension)
      refuse(parts, i,
             fmt::format(
                 "is cut at other indices than {}, so that its elements are elsewhere; give both the same "
                 "extent and distribution of dimension {}, or make one with dist::as(other)",
                 leading(parts), d));
    if (!use.is_transposed) use.along[static_cast<std::size_t>(d)] = like;
  }
  for (int unit = 0; unit < shape.n_units; ++unit)
    if (leader.has_elements(unit) && !shape.has_elements(unit) && shape.bytes() > 0 && !shape.follows_rows())
      refuse(parts, i,
             fmt::format("has no elements on unit {}, which computes indices of the loop; give both the same "
                         "grid",
                         unit));
  if (writes(use) && shape.follows_rows() && !leader.follows_rows())
    refuse(parts, i,
           "is written, and its elements follow rows, of which each index of the loop has several; write it "
           "in a "
           "loop over its elements");
  if (writes(use) && !is_computed_everywhere(use, leader))
    refuse(parts, i, "is written, and dist::duplicate: each memory would have other elements of it");
}

/// Each index is one unit's.
void check_dimensions(const loop_parts& parts) {
  const layout& leader = *parts.shape();
  for (int d = parts.over.dimensions; d < leader.dimensions; ++d)
    if (leader.is_cut(d))
      throw usage_error{
          fmt::format("for_each '{}': a loop of {} dimensions over an array that is cut in dimension {}: no "
                      "unit has all elements that belong to an index",
                      parts.name, parts.over.dimensions, d)};
}

void check_box(const loop_parts& parts, std::size_t i) {
  const used_array& use = parts.uses[i];
  const layout& shape = use.elements->shape();
  if (!is_written(use)) return;
  if (shape.dimensions < parts.over.dimensions)
    refuse(parts, i,
           fmt::format("has {} dimensions, and a loop of {} would write its elements many times",
                       shape.dimensions, parts.over.dimensions));
  for (int d = 0; d < parts.over.dimensions; ++d) {
    const bound& side = parts.over[d];
    if (side.begin >= 0 && side.end <= shape[d].extent) continue;
    refuse(parts, i,
           fmt::format("has the indices [0, {}) in dimension {}, and the loop leaves them with [{}, {})",
                       shape[d].extent, d, side.begin, side.end));
  }
}

/// Of a loop that only reads: each index must be somebody's.
void check_bounds(const loop_parts& parts) {
  const layout& shape = *parts.shape();
  for (int d = 0; d < std::min(parts.over.dimensions, shape.dimensions); ++d) {
    const bound& side = parts.over[d];
    if (!shape.is_cut(d) || (side.begin >= 0 && side.end <= shape[d].extent)) continue;
    throw usage_error{
        fmt::format("for_each '{}': the loop has the indices [{}, {}) in dimension {}, and its "
                    "distributed array has [0, {}) only",
                    parts.name, side.begin, side.end, d, shape[d].extent)};
  }
}

const char* name_of_kind(const loop_parts& parts, int unit) {
  return unit < parts.context.n_cpu_units ? "cpu" : "gpu";
}

/// Whoever has indices of the loop has a body for them.
void check_bodies(const loop_parts& parts) {
  bool any = false;
  for (int unit = 0; unit < parts.context.n_units(); ++unit) {
    any = any || parts.takes_part(unit);
    if (parts.takes_part(unit) || parts.shape() == nullptr) continue;
    const share mine = parts.share_of(unit);
    if (mine.empty()) continue;
    const bound rows = common(mine.of[0].hull(), mine.within[0]);
    throw usage_error{
        fmt::format("for_each '{}': unit {} has the indices [{}, {}) of dimension 0, and there is no "
                    "{}<body> among the variants; add one, or give the unit no rows (dist::weighted)",
                    parts.name, unit, rows.begin, rows.end, name_of_kind(parts, unit))};
  }
  if (any) return;
  throw usage_error{fmt::format("for_each '{}': the runtime has no {} CU, and there is no other variant",
                                parts.name, parts.who.cpus ? "CPU" : "GPU")};
}

bool share_bytes(const result_place& a, const result_place& b) {
  const auto first = reinterpret_cast<std::uintptr_t>(a.first),
             second = reinterpret_cast<std::uintptr_t>(b.first);
  return first < second + b.bytes && second < first + a.bytes;
}

void check_twice(const loop_parts& parts, std::size_t i) {
  for (std::size_t other = 0; other < i; ++other) {
    const used_array& a = parts.uses[other];
    const used_array& b = parts.uses[i];
    if (a.elements == b.elements && (writes(a) || writes(b)))
      refuse(parts, i,
             fmt::format("is array {} again, and one of them is written; inout gives an index its own "
                         "element to read and write",
                         other + 1));
  }
}

void check_result(const loop_parts& parts, std::size_t i) {
  const layout& shape = parts.uses[i].elements->shape();
  if (shape.bytes() != shape.element)
    refuse(parts, i,
           fmt::format("takes the result of a reduction, and has {} elements; one", shape[0].extent));
  for (int unit = 0; unit < shape.n_units; ++unit)
    if (!shape.has_elements(unit))
      refuse(parts, i,
             fmt::format("takes the result of a reduction, and unit {} does not have it; make it with "
                         "dist::duplicate",
                         unit));
}

}  // namespace

bool are_cut_alike(const layout& a, int of_a, const layout& b, int of_b) {
  if (!a.is_cut(of_a) || !b.is_cut(of_b)) return false;
  const bool by_rows = !b.cut_of(of_b).follows_rows();  // else over elements
  for (int unit = 0; unit < b.n_units; ++unit) {
    const strip mine = by_rows ? a.rows_of(unit, of_a) : a.part_of(unit)[of_a];
    if (b.has_elements(unit) && mine != b.part_of(unit)[of_b]) return false;
  }
  return true;
}

void check_results(runtime& rt, const char* name, std::span<const result_place> results) {
  refuse_in_region("for_each");
  const std::shared_ptr<array_context> context = array_context::of(rt);
  const std::lock_guard guard{context->lock};
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].first == nullptr) continue;
    for (const array_state* each : context->arrays)
      if (each->is_attached_to(results[i].first, results[i].bytes))
        throw usage_error{
            fmt::format("for_each '{}': the variable of reduction {} of the loop, counted from 1, is "
                        "memory that an array is attached to; use another one, or detach first",
                        name, i + 1)};
    for (std::size_t other = 0; other < i; ++other)
      if (share_bytes(results[i], results[other]))
        throw usage_error{
            fmt::format("for_each '{}': the reductions {} and {} of the loop, counted from 1, share a "
                        "variable, which would have what one of them found; one for each",
                        name, other + 1, i + 1)};
  }
}

void check_number_of_indices(const char* name, const any_box& over) {
  std::array<std::size_t, 4> sides{};
  for (int d = 0; d < 4; ++d) {
    const std::optional<std::int64_t> side = distance_of(over[d].begin, over[d].end);
    if (!side)
      throw usage_error{
          fmt::format("for_each '{}': [{}, {}) in dimension {} has more indices than a loop may "
                      "have, {}; split it into several loops",
                      name, over[d].begin, over[d].end, d, most_indices)};
    sides[static_cast<std::size_t>(d)] = static_cast<std::size_t>(*side);
  }
  if (over.empty() || product_of(sides, static_cast<std::size_t>(most_indices))) return;
  throw usage_error{
      fmt::format("for_each '{}': {} indices, which are {}; a loop has {} at most; split it into "
                  "several loops",
                  name, fmt::join(std::span{sides}.first(static_cast<std::size_t>(over.dimensions)), " x "),
                  product_in_words(sides), most_indices)};
}

void check_uses(loop_parts& parts) {
  cut_own(parts);
  parts.leader = parts.aligned != nullptr ? &parts.aligned->usable("aligned")
                 : parts.own != nullptr   ? nullptr
                                          : leader_of(parts.uses);
  for (std::size_t i = 0; i < parts.uses.size(); ++i) {
    check_twice(parts, i);
    if (parts.uses[i].is_result) check_result(parts, i);
    if (parts.over.empty() || parts.shape() == nullptr || parts.uses[i].is_result) continue;
    check_alignment(parts, i);
    check_box(parts, i);
  }
  if (parts.shape() != nullptr && !parts.over.empty()) {
    check_dimensions(parts);
    check_bounds(parts);
  }
  if (!parts.over.empty()) check_bodies(parts);
  if (parts.shape() == nullptr) deal(parts);
  parts.find_halos();
}

}  // namespace yoke::detail
