#include "faces.hpp"

namespace npb {

namespace {

plane plane_at(const zone_shape& n, side s, int from_edge) {
  plane p;
  const int row = n.nx;
  const int layer = n.nx * n.ny;
  p.component = static_cast<std::int64_t>(n.points());
  p.k_points = n.nz - 2;
  p.k_stride = layer;
  const bool along_y = s == side::west || s == side::east;
  p.line_points = (along_y ? n.ny : n.nx) - 2;
  p.line_stride = along_y ? row : 1;
  const int i = s == side::west ? from_edge : s == side::east ? n.nx - 1 - from_edge : 1;
  const int j = s == side::south ? from_edge : s == side::north ? n.ny - 1 - from_edge : 1;
  p.first = std::int64_t{layer} + std::int64_t{row} * j + i;
  return p;
}

}  // namespace

int neighbour(const zone& z, side s) {
  switch (s) {
    case side::west:
      return z.west;
    case side::east:
      return z.east;
    case side::south:
      return z.south;
    case side::north:
      break;
  }
  return z.north;
}

plane inner_plane(const zone_shape& shape, side s) { return plane_at(shape, s, 1); }
plane outer_plane(const zone_shape& shape, side s) { return plane_at(shape, s, 0); }

plane packed_plane(const plane& p) {
  return {.first = 0,
          .component = p.component_size(),
          .line_points = p.line_points,
          .line_stride = 1,
          .k_points = p.k_points,
          .k_stride = p.line_points};
}

void pack(const plane& from, int m, const double* field, double* face) {
  face += m * from.component_size();
  for (int k = 0; k < from.k_points; ++k) {
    const double* line = field + from.first + m * from.component + std::int64_t{k} * from.k_stride;
    for (int l = 0; l < from.line_points; ++l) *face++ = line[std::int64_t{l} * from.line_stride];
  }
}

void unpack(const plane& to, int m, const double* face, double* field) {
  face += m * to.component_size();
  for (int k = 0; k < to.k_points; ++k) {
    double* line = field + to.first + m * to.component + std::int64_t{k} * to.k_stride;
    for (int l = 0; l < to.line_points; ++l) line[std::int64_t{l} * to.line_stride] = *face++;
  }
}

void pack(const plane& from, const double* field, double* face) {
  for (int m = 0; m < n_components; ++m) pack(from, m, field, face);
}

void unpack(const plane& to, const double* face, double* field) {
  for (int m = 0; m < n_components; ++m) unpack(to, m, face, field);
}

}  // namespace npb
