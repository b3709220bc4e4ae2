#pragma once
/// Sides of zones that are joined, and where the points of one are beside those of the other. Pure.

#include <array>
#include <span>
#include <string>

#include <yoke/detail/zone_calls.hpp>
#include <yoke/zone_shapes.hpp>

namespace yoke::detail {

/// Which dimension of one zone runs along each of another, of three, and whether backwards.
struct zone_turn {
  std::array<int, 3> of{0, 1, 2};
  std::array<bool, 3> is_backwards{};

  bool is_none() const;
  zone_turn inverse() const;
  bool operator==(const zone_turn&) const = default;
};

/// Dimensions of both ends are of three.
struct zone_join {
  zone_end a, b;
  zone_turn turn;  ///< of b along each dimension of a
};

/// One way of a join: what `giver` has next to a side goes to the halo of `taker` at another.
struct face_ends {
  zone_end giver, taker;
  zone_turn turn;  ///< of the giver along each dimension of the taker
};
std::array<face_ends, 2> ends_of(const zone_join& join);

/// "the high side of dimension 1 of zone 4", with dimensions as the program counts them.
std::string name_of(zone_end end);

/// Ends with dimensions as the program counts them. Errors: usage_error for ends that do not meet: unlike
/// extents along the face, a turn that is none, or leads out of the zones.
zone_join join_of(std::span<const zone_box> boxes, int dimensions, zone_end a, zone_end b,
                  zone_transform turn);

}  // namespace yoke::detail
