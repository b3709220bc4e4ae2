#pragma once
/// Where one dimension is cut.

#include "../context.hpp"
#include "distribution_kinds.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include <yoke/distribution.hpp>

namespace yoke::detail {

/// Where parts of these lengths begin, and where the last one ends.
std::vector<std::int64_t> cuts_after(std::span<const std::int64_t> shares);

/// Errors: usage_error for blocks of a length that they cannot have.
void check_length(const distribution& how, const side_to_cut& side);

/// Balanced arrays that are there already may be cut anew. Errors: usage_error for what the distribution does
/// not fit; those of the move.
dimension_cut cut_of(const distribution& how, const side_to_cut& side, array_context& context);

}  // namespace yoke::detail
