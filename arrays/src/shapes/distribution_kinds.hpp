#pragma once
/// What a distribution's file tells the list about it.

#include "layout.hpp"

#include <cstdint>
#include <span>
#include <string_view>

#include <yoke/distribution.hpp>

namespace yoke::detail {

struct side_to_cut {
  int dimension = 0;
  std::int64_t n = 0;
  std::int64_t least = 0;  ///< elements of a part that has any
  int places = 1;
};

/// One distribution of the list.
struct distribution_kind {
  /// What a length means, as in dist::block(k).
  enum class lengths { refused, of_one_block_each, of_blocks_in_turn };
  /// What it cannot be made without.
  enum class needs { nothing, weights, array };

  std::string_view name;  ///< in dist
  lengths length = lengths::refused;
  needs made_of = needs::nothing;
  bool is_balanced = false;  ///< cuts move with what loops take; for one dimension without a grid
  /// Gives either cuts or the blocks of a round, which have no halos. The length has been checked. Errors:
  /// usage_error for what does not fit. Null: is not cut.
  dimension_cut (*cut)(const distribution& how, const side_to_cut& side, array_context& context) = nullptr;
};

/// All, in the order of distribution::kind.
std::span<const distribution_kind* const> distribution_kinds();
const distribution_kind& kind_of(const distribution& how);
/// Which some distributions may not have.
inline bool has_halo_or_edge(const distribution& how) {
  return how.low() != 0 || how.high() != 0 || how.at_low() != edge_policy::none ||
         how.at_high() != edge_policy::none;
}

}  // namespace yoke::detail
