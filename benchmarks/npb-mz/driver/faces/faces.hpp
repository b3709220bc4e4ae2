#pragma once
/// The planes that neighbouring zones exchange before each step. SPEC.md §8.
///
/// A *face* is what a zone gives the neighbour at one of its sides: the first interior plane at that side,
/// five components, packed [component][k][j or i]. The neighbour copies it to its boundary plane at the
/// opposite side. Edges, corners and the z planes are never touched.

#include "common/problem.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace npb {

enum class side : int { west, east, south, north };
inline constexpr std::array<side, 4> all_sides{side::west, side::east, side::south, side::north};
inline constexpr int n_sides = 4;

constexpr side opposite(side s) { return static_cast<side>(static_cast<int>(s) ^ 1); }
int neighbour(const zone& z, side s);

/// Points of one plane inside a field [5][nz][ny][nx], without its edges.
struct plane {
  std::int64_t first = 0;      ///< offset of its first point
  std::int64_t component = 0;  ///< distance of two components
  int line_points = 0;         ///< along x or y
  int line_stride = 0;
  int k_points = 0;
  int k_stride = 0;

  /// Doubles of the plane, and of one of its components.
  constexpr std::int64_t size() const { return n_components * component_size(); }
  constexpr std::int64_t component_size() const { return std::int64_t{line_points} * k_points; }
};

/// The first interior plane: what leaves the zone at `s`.
plane inner_plane(const zone_shape& shape, side s);
/// The boundary plane: where what arrives at `s` goes.
plane outer_plane(const zone_shape& shape, side s);

/// The points of `p` packed as a face.
plane packed_plane(const plane& p);

/// field -> face and face -> field for component `m`, in host memory; `field` and `face` are their
/// beginnings.
void pack(const plane& from, int m, const double* field, double* face);
void unpack(const plane& to, int m, const double* face, double* field);
/// The same for all components.
void pack(const plane& from, const double* field, double* face);
void unpack(const plane& to, const double* face, double* field);

/// Number of the face that `zone` gives its neighbour at `s`.
constexpr int face_of(int zone, side s) { return n_sides * zone + static_cast<int>(s); }
constexpr int zone_of_face(int face) { return face / n_sides; }
constexpr side side_of_face(int face) { return static_cast<side>(face % n_sides); }

}  // namespace npb
