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

/// Of a balanced array: its rows, or those that its elements follow.
inline std::int64_t balanced_rows(const layout& shape) {
  const dimension_cut& cut = shape.cut_of(shape.balanced);
  return cut.follows_rows() ? cut.row_cuts.back() : shape[shape.balanced].extent;
}

/// Until loops are measured.
double weight_of(const compute_unit& unit);
/// Of rows that some units share, whose numbers ascend.
scheduling::balancer make_balancer(std::int64_t rows, std::span<const int> some,
                                   const array_context& context);
scheduling::balancer& balancer_of(std::int64_t rows, array_context& context);

/// Cuts of a new array. Arrays that are there are cut anew where its halo needs longer parts. Errors:
/// out_of_memory, device_error; all arrays are as before then.
std::vector<std::int64_t> balanced_cuts(const rows_to_cut& rows, array_context& context);

/// Cuts all of them anew. Errors: as above.
void move_balanced(std::int64_t rows, const std::vector<std::int64_t>& shares, array_context& context);

/// Moves the cuts where what was measured says so. Whether it did. Errors: device_error.
bool balance_rows(std::int64_t rows, array_context& context,
                  scheduling::balancer::haste how = scheduling::balancer::haste::none);

/// Where it is time.
void look_at_rows(std::int64_t rows, array_context& context);
/// The same for loops that are dealt. Whether their shares are others now.
bool look_at_dealt(dealt_loops& loops);
/// Whether a loop is distributed as balanced arrays were, which are cut at other indices by now.
bool is_left_behind(const loop_parts& parts);

/// Looks at the rows of the balanced array that says who runs what in a loop, at the time when it begins; for
/// those that the loop is distributed as.
void balance_before_loop(std::span<const array_use> uses, const loop_sharing* sharing, const any_box& over,
                         array_context& context);

/// Of the number of indices: a loop of twice as many takes twice as long.
int digits_of(const any_box& over);
/// The balancer that learns from the loop; null where it has no part in that.
scheduling::balancer* learner_of(const loop_parts& parts);
/// It learns what the loop took. Requires: learner_of.
void learn(const loop_parts& parts, scheduling::timed_loop took);

}  // namespace yoke::detail
