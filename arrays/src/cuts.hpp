#pragma once
/// Where dimension 0 is cut.

#include "context.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <yoke/distribution.hpp>

namespace yoke::detail {

/// As even as can be, the first ones one longer.
std::vector<std::int64_t> even_cuts(std::int64_t n, int parts);
/// Where parts of these lengths begin, and where the last one ends.
std::vector<std::int64_t> cuts_after(std::span<const std::int64_t> shares);

struct rows_to_cut {
  std::int64_t n = 0;
  std::int64_t least = 0;  ///< rows of a part that has any
};

/// Balanced arrays that are there already may be cut anew. Errors: usage_error for weights that are not one
/// for each unit, or are no weights; those of the move.
std::vector<std::int64_t> cuts_of(const distribution& how, const rows_to_cut& rows, array_context& context);

}  // namespace yoke::detail
