#pragma once
/// Units in rows, planes and so on.

#include "../context.hpp"

#include <array>
#include <span>
#include <vector>

#include <yoke/distribution.hpp>

namespace yoke::detail {

struct unit_grid {
  int dimensions = 1;
  std::array<int, 4> sides{1, 1, 1, 1};
  std::vector<int> units;  ///< of each place, the last side counted fastest

  int side(int g) const { return sides[static_cast<std::size_t>(g)]; }
  /// Where a place lies along each side.
  std::array<int, 4> coordinates_of(int place) const;
  friend bool operator==(const unit_grid&, const unit_grid&) = default;
};

/// Errors: usage_error naming sides, or units, that do not go together or are not there.
unit_grid make_grid(const dist::grid& what, const array_context& context);
/// All units; sides as equal as can be.
unit_grid grid_of_all(int dimensions, const array_context& context);

}  // namespace yoke::detail
