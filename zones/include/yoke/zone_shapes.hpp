// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Zones, their sides and halos, as programs say them. Dimension 0 is that of planes or rows, the last one
/// runs along a row.

#include <array>
#include <cstdint>
#include <initializer_list>

#include <yoke/compiler.hpp>
#include <yoke/cpp20.hpp>
#include <yoke/loop_index.hpp>
#include <yoke/side.hpp>

namespace yoke {

/// Points of a zone in each dimension.
template <int D>
using zone_extents = std::array<std::int64_t, static_cast<std::size_t>(D)>;

/// Points that a field has beside each zone, below and above, in each dimension: halo{0, 1, 1}. What lies
/// beside a zone in two dimensions at once comes only with corners, of zones that are joined to zones which
/// both have as neighbours; each dimension of the halo takes a round of messages then.
class halo {
 public:
  halo() = default;
  halo(std::initializer_list<std::int64_t> widths);  // NOLINT(google-explicit-constructor)

  halo with_corners() const {
    halo same = *this;
    same.has_corners_ = true;
    return same;
  }

  int dimensions() const { return n_; }
  bool has_corners() const { return has_corners_; }
  std::int64_t operator[](int d) const { return widths_[static_cast<std::size_t>(d)]; }

 private:
  std::array<std::int64_t, 3> widths_{};
  int n_ = 0;  ///< 0: none anywhere
  bool has_corners_ = false;
};

/// A side of one of the zones.
struct zone_end {
  int zone = 0;
  side at;
};

/// How another zone is turned, as CGNS's Transform: the number at place d says which of its dimensions,
/// counted from 1, runs along dimension d of this one, with a minus where backwards. {1, 2, 3}, or nothing:
/// not at all; in two dimensions {2, -1} and the like.
using zone_transform = std::array<int, 3>;

/// A point of a zone, as a body gets it: at.i, at.j, at.k count from 0 in the zone. A body may take a
/// loop_index<D> instead.
template <int D>
struct zone_index : loop_index<D> {
  int zone = 0;
  std::int64_t extents[D] = {};
};

}  // namespace yoke
