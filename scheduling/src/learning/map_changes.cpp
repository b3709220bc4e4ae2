#include "map_changes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>

namespace yoke::scheduling {

namespace {

/// The passes before which there are no more than 0, 1, … changes: what is known grows, and after the last
/// change there is none.
constexpr std::array<pass_id, 5> changes_from{1, 2, 4, 10, 24};
/// What a change takes in passes beside moving data: work is laid out anew and cold (NPB-MZ on an H200: two
/// to four), until it was measured: between one pass and these.
constexpr double passes_of_change = 4, least_cost = 1;

}  // namespace

bool map_changes::may_be_more(pass_id passes, bool is_try) const {
  const auto made = static_cast<std::size_t>(count_), needed = made + (is_try ? 2 : 1);
  return needed <= changes_from.size() && passes >= changes_from[made];
}

void map_changes::make(const alternative& what, std::span<const unit> units, pass_id pass,
                       std::optional<double> part, seconds moving) {
  ++count_;
  moving_ = moving;
  text_ += fmt::format("{}in pass {} to {}", text_.empty() ? ": " : ", ", pass, text_of(what, units));
  text_ += part ? fmt::format(" for {:.1f}% less", 100 * (1 - *part)) : " for a try";
}

void map_changes::began(pass_id passes, seconds time) {
  if (count_ > 0) begun_ = {passes, time - moving_};
}

void map_changes::settled(seconds pass) {
  const auto [passes, time] = std::exchange(begun_, {0, 0});
  if (passes == 0 || !(pass > 0)) return;
  sum_ += std::clamp(time / pass - static_cast<double>(passes), least_cost, passes_of_change);
  ++seen_;
}

double map_changes::cost() const { return seen_ == 0 ? passes_of_change : sum_ / seen_; }

}  // namespace yoke::scheduling
