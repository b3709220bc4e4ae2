/// Whether the arrays of a loop go together.
#include "loop_parts.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/loop_kernels.hpp>

namespace yoke::detail {

namespace {

bool writes(const used_array& use) { return use.how != role::in; }

[[noreturn]] void refuse(const loop_parts& parts, std::size_t use, const std::string& what) {
  throw usage_error{
      fmt::format("for_each '{}': array {} of the loop, counted from 1, {}", parts.name, use + 1, what)};
}

const contents* leader_of(const std::vector<used_array>& uses) {
  const auto first_written = std::ranges::find_if(uses, writes);
  if (first_written != uses.end()) return first_written->elements;
  const auto distributed =
      std::ranges::find_if(uses, [](const used_array& use) { return use.elements->shape().distributed; });
  if (distributed != uses.end()) return distributed->elements;
  return uses.empty() ? nullptr : uses.front().elements;
}

void check_alignment(const loop_parts& parts, std::size_t i) {
  const used_array& use = parts.uses[i];
  const layout& shape = use.elements->shape();
  const layout& of_leader = parts.leader->shape();
  if (shape.distributed && !of_leader.distributed)
    refuse(parts, i,
           "is distributed, but the first array that is written is not: each memory would compute all of "
           "it, and has a part of this one only");
  if (shape.distributed && shape.cuts != of_leader.cuts)
    refuse(parts, i,
           "is cut at other indices than the first array that is written, so that its elements are "
           "elsewhere; give both the same extent and distribution of dimension 0, or make one with "
           "dist::as(other)");
  if (writes(use) && !shape.distributed && of_leader.distributed)
    refuse(parts, i, "is written, and dist::duplicate: each memory would have other elements of it");
}

void check_box(const loop_parts& parts, std::size_t i) {
  const used_array& use = parts.uses[i];
  const layout& shape = use.elements->shape();
  if (!writes(use)) return;
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
void check_rows(const loop_parts& parts) {
  const layout& shape = parts.leader->shape();
  const bound& side = parts.over[0];
  if (!shape.distributed || (side.begin >= 0 && side.end <= shape[0].extent)) return;
  throw usage_error{
      fmt::format("for_each '{}': the loop has the indices [{}, {}) in dimension 0, and its "
                  "distributed array has [0, {}) only",
                  parts.name, side.begin, side.end, shape[0].extent)};
}

const char* kind_of(const loop_parts& parts, int unit) {
  return unit < parts.context.n_cpu_units ? "cpu" : "gpu";
}

/// Whoever has indices of the loop has a body for them.
void check_bodies(const loop_parts& parts) {
  bool any = false;
  for (int unit = 0; unit < parts.context.n_units(); ++unit) {
    any = any || parts.takes_part(unit);
    const bound rows = parts.leader != nullptr ? parts.rows_of(unit) : bound{};
    if (parts.takes_part(unit) || rows.size() == 0) continue;
    throw usage_error{
        fmt::format("for_each '{}': unit {} has the indices [{}, {}) of dimension 0, and there is no "
                    "{}<body> among the variants; add one, or give the unit no rows (dist::weighted)",
                    parts.name, unit, rows.begin, rows.end, kind_of(parts, unit))};
  }
  if (any) return;
  throw usage_error{fmt::format("for_each '{}': the runtime has no {} CU, and there is no other variant",
                                parts.name, parts.who.cpus ? "CPU" : "GPU")};
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

}  // namespace

std::string name_in(std::string_view signature) {
  constexpr std::string_view before = "Kernel = ";
  const std::size_t from = signature.find(before);
  if (from == std::string_view::npos) return "loop";
  std::string_view name = signature.substr(from + before.size());
  name = name.substr(0, name.find_first_of("];"));
  const std::size_t last = name.substr(0, name.find('<')).rfind("::");
  return std::string{last == std::string_view::npos ? name : name.substr(last + 2)};
}

void check_uses(loop_parts& parts) {
  parts.leader = leader_of(parts.uses);
  for (std::size_t i = 0; i < parts.uses.size(); ++i) {
    check_twice(parts, i);
    if (parts.over.empty()) continue;
    check_alignment(parts, i);
    check_box(parts, i);
  }
  if (parts.leader != nullptr && !parts.over.empty()) check_rows(parts);
  if (!parts.over.empty()) check_bodies(parts);
}

}  // namespace yoke::detail
