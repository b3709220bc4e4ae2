#pragma once
/// Where one dimension is cut.

#include "context.hpp"
#include "layout.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <yoke/distribution.hpp>

namespace yoke::detail {

/// As even as can be, the first ones one longer.
std::vector<std::int64_t> even_cuts(std::int64_t n, int parts);
/// Where parts of these lengths begin, and where the last one ends.
std::vector<std::int64_t> cuts_after(std::span<const std::int64_t> shares);

struct side_to_cut {
  int dimension = 0;
  std::int64_t n = 0;
  std::int64_t least = 0;  ///< elements of a part that has any
  int places = 1;
};

/// Errors: usage_error for blocks of a length that they cannot have.
void check_length(const distribution& how, const side_to_cut& side);

/// Balanced arrays that are there already may be cut anew. Errors: usage_error for weights that are not one
/// for each place, or are no weights; those of the move.
dimension_cut cut_of(const distribution& how, const side_to_cut& side, array_context& context);

}  // namespace yoke::detail
