#include "looks.hpp"

#include "numbers.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

/// What a number of passes is within, whatever it is computed of.
pass_id passes(double n) { return static_cast<pass_id>(std::clamp(n, 1.0, 1e9)); }

}  // namespace

horizon counted_passes::horizon_at(pass_id newest) const {
  const pass_id done = have_begun() ? newest - from_ : 0;
  const bool is_planned = passes_ > done;
  const auto least = static_cast<pass_id>(numbers.least_horizon);
  return {.passes = is_planned ? passes_ - done : std::max(newest, least), .is_free = !have_begun()};
}

pass_id block_of(seconds pass) {
  return passes(std::max(numbers.block_passes, numbers.block_seconds / pass));
}

pass_id period_after(pass_id age, seconds pass, double overlap) {
  const double cheap = (numbers.meeting / pass + overlap) / numbers.looking;
  const pass_id longest = passes(std::min(cheap, numbers.longest_unseen / pass));
  return std::max(std::min(age / 2, longest), block_of(pass));
}

}  // namespace yoke::scheduling
