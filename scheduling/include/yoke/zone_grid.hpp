// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Tasks that are the zones of a grid, as multi-zone benchmarks have them.

#include <cstddef>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke {

/// gx x gy x gz points, cut in x and y into zones that are periodic in both; `ratio` is that of the widest
/// zone to the narrowest in each direction.
struct zone_grid {
  int gx = 0;
  int gy = 0;
  int gz = 0;
  int x_zones = 1;
  int y_zones = 1;
  double ratio = 1;
};

/// Sizes of `parts` parts of `points` grid points, growing by a constant factor up to `ratio`.
std::vector<int> zone_widths(int points, int parts, double ratio);

/// Zone ix + x_zones * iy is a task: its weight are its interior points; its data take `bytes_of_point` for
/// each point; it sends each of its four neighbours `bytes_of_face_point` for each inner point of the face
/// between them. Errors: usage_error for no zones, more of them than points, or a zone of more bytes than an
/// address can count.
workload zones_of(const zone_grid& grid, std::size_t bytes_of_point, std::size_t bytes_of_face_point);

}  // namespace yoke
