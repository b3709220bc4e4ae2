#pragma once
/// Cuts of balanced arrays, which move together: all arrays of a runtime with equally many elements in the
/// dimension that is cut, rows for short.

#include "../shapes/cuts.hpp"
#include "loop_parts.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <yoke/balancer.hpp>

namespace yoke::detail {

struct rows_to_cut {
  std::int64_t n = 0;
  std::int64_t least = 0;  ///< rows of a part that has any
};

/// Of a balanced array.
inline std::int64_t balanced_rows(const layout& shape) { return shape[shape.balanced].extent; }

scheduling::balancer& balancer_of(std::int64_t rows, array_context& context);

/// Cuts of a new array. Arrays that are there are cut anew where its halo needs longer parts. Errors:
/// out_of_memory, device_error; all arrays are as before then.
std::vector<std::int64_t> balanced_cuts(const rows_to_cut& rows, array_context& context);

/// Cuts all of them anew. Errors: as above.
void move_balanced(std::int64_t rows, const std::vector<std::int64_t>& shares, array_context& context);

/// Moves the cuts where what was measured says so. Whether it did. Errors: device_error.
bool balance_rows(std::int64_t rows, array_context& context,
                  scheduling::balancer::haste how = scheduling::balancer::haste::none);

/// The same for the balanced array among these, at the time when a loop begins.
void balance_before_loop(std::span<const array_use> uses, array_context& context);

/// The balancer that learns from the loop; null where it has no part in that.
scheduling::balancer* learner_of(const loop_parts& parts);
/// What its units needed for the rows that it runs becomes what all of their rows take. A CPU CU that runs
/// none is as fast as the others, a GPU as its weight beside theirs says. Requires: learner_of.
void as_for_all_rows(std::vector<seconds>& times, const loop_parts& parts);
/// How many rows each unit runs at once. Requires: learner_of.
std::vector<std::int64_t> steps_of(const loop_parts& parts);

}  // namespace yoke::detail
