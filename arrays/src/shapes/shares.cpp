#include "shares.hpp"

#include <algorithm>

namespace yoke::detail {

bool share::empty() const {
  for (int d = 0; d < 4; ++d) {
    bool any = false;
    for_each_common(of[d], within[d], [&](const strip&) { any = true; });
    if (!any) return true;
  }
  return false;
}

bound even_share(const bound& of, int number, int parts) {
  const std::int64_t n = of.size() / parts, left = of.size() % parts;
  const auto cut = [&](std::int64_t at) { return of.begin + at * n + std::min(at, left); };
  return {cut(number), cut(number + 1)};
}

share share_of(const layout& shape, int unit, const any_box& over) {
  share made{index_set{over}, over};
  if (!shape.has_elements(unit)) {
    made.within[0] = {over[0].begin, over[0].begin};
    return made;
  }
  for (int d = 0; d < over.dimensions; ++d)
    if (shape.is_cut(d)) made.of[d] = shape.part_of(unit)[d];
  if (unit >= shape.n_cpu_units) return made;
  const std::vector<int>& units = shape.cell_at(unit).units;
  const auto on_host = std::ranges::lower_bound(units, shape.n_cpu_units) - units.begin();
  const auto number = std::ranges::lower_bound(units, unit) - units.begin();
  if (on_host > 1)
    made.within[0] =
        even_share(common(over[0], made.of[0].hull()), static_cast<int>(number), static_cast<int>(on_host));
  return made;
}

}  // namespace yoke::detail
