#include "index_set.hpp"

namespace yoke::detail {

strip::strip(const bound& whole)
    : begin{whole.begin},
      end{whole.begin + whole.size()},
      length{std::max<std::int64_t>(whole.size(), 1)},
      period{length} {}

strip::strip(const bound& within, std::int64_t long_each, std::int64_t distance) : strip{within} {
  if (within.size() <= long_each || long_each == distance) return;
  const std::int64_t last = begin + (end - 1 - begin) / distance * distance;
  if (end - last > long_each) end = last + long_each;
  if (last == begin) {
    length = period = end - begin;
  } else {
    length = long_each;
    period = distance;
  }
}

std::int64_t strip::size() const {
  const std::int64_t n = pieces();
  return n == 0 ? 0 : (n - 1) * length + piece(n - 1).size();
}

index_set::index_set(const any_box& box) : dimensions{box.dimensions} {
  for (int d = 0; d < 4; ++d) (*this)[d] = strip{box[d]};
}

bool index_set::empty() const {
  return std::ranges::any_of(sides, [](const strip& each) { return each.empty(); });
}

bool index_set::is_box() const {
  return std::ranges::all_of(sides, [](const strip& each) { return each.is_range(); });
}

std::int64_t index_set::size() const {
  std::int64_t n = 1;
  for (const strip& each : sides) n *= each.size();
  return n;
}

any_box index_set::hull() const {
  any_box box{.dimensions = dimensions};
  for (int d = 0; d < 4; ++d) box[d] = (*this)[d].hull();
  return box;
}

std::array<std::int64_t, 4> index_set::begins() const {
  return {sides[0].begin, sides[1].begin, sides[2].begin, sides[3].begin};
}

}  // namespace yoke::detail
