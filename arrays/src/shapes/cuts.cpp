#include "cuts.hpp"

#include <fmt/format.h>
#include <string>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

using lengths = distribution_kind::lengths;

/// "dist::block and dist::cyclic"
std::string names_with_a_length() {
  std::vector<std::string> names;
  for (const distribution_kind* each : distribution_kinds())
    if (each->length != lengths::refused) names.push_back(fmt::format("dist::{}", each->name));
  return fmt::format("{}", fmt::join(names, " and "));
}

}  // namespace

std::vector<std::int64_t> cuts_after(std::span<const std::int64_t> shares) {
  std::vector<std::int64_t> cuts{0};
  for (const std::int64_t share : shares) cuts.push_back(cuts.back() + share);
  return cuts;
}

void check_length(const distribution& how, const side_to_cut& side) {
  if (!how.has_length()) return;
  const distribution_kind& kind = kind_of(how);
  if (kind.length == lengths::refused)
    throw usage_error{
        fmt::format("dimension {}: a distribution with blocks of {} elements; only {} have a length",
                    side.dimension, how.length(), names_with_a_length())};
  if (how.length() < 1)
    throw usage_error{fmt::format("dimension {}: dist::{}({}): blocks have 1 element or more", side.dimension,
                                  kind.name, how.length())};
  if (kind.length == lengths::of_one_block_each && side.n > 0 && (side.n - 1) / how.length() >= side.places)
    throw usage_error{
        fmt::format("dimension {}: dist::{}({}) has room for {} blocks, one for each part, and not for {} "
                    "elements; longer blocks, or dist::cyclic({}), which goes round",
                    side.dimension, kind.name, how.length(), side.places, side.n, how.length())};
}

dimension_cut cut_of(const distribution& how, const side_to_cut& side, array_context& context) {
  const distribution_kind& kind = kind_of(how);
  dimension_cut made = kind.cut(how, side, context);
  if (made.by == nullptr) made.by = &kind;
  return made;
}

}  // namespace yoke::detail
