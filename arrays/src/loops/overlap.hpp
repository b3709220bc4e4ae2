#pragma once
/// Which loops run while their halos travel, and what of them.

#include "loop_parts.hpp"

#include <cstdint>

namespace yoke::detail {

/// Whether it pays to run what needs no halo beside the exchange: large parts on several GPUs that reach into
/// each other in dimension 0 alone. What is brought is not written: check_uses has refused that.
/// `has_results`: leaves of the loop come row after row only where dimension 0 alone is cut.
bool overlaps(const loop_parts& parts, bool has_results);
/// Of these rows of a unit's those that read none of another's.
bound rows_within(const loop_parts& parts, int unit, const bound& rows);

/// For tests. From how many elements of a GPU's part on it pays; returns what held before.
std::int64_t set_least_overlapped(std::int64_t elements);
/// For tests: how many loops of this process did.
std::int64_t overlapped_loops();

}  // namespace yoke::detail
