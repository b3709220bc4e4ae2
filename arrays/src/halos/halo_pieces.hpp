#pragma once
/// What lies around a part, in pieces that each are one unit's.

#include "../memory/contents.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace yoke::detail {

/// Elements that a memory wants, and a unit whose own they are.
struct halo_piece {
  index_set at;
  std::array<std::int64_t, 4> from{};  ///< indices of the first one within the extents
  int unit = 0;

  bool is_elsewhere() const { return from != at.begins(); }
};

/// All that lies in `held` as far beside own elements as is wanted, with corners where these are, in
/// dimensions that are cut. `near`: a unit that has the own elements, among whose like others are asked
/// first.
std::vector<halo_piece> halo_around(const layout& shape, const index_set& own, const halo_state& wanted,
                                    const any_box& held, int near);

}  // namespace yoke::detail
