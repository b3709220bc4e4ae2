#pragma once
/// How a solver's last kernel of a step hands the first interior planes of a zone to its neighbours: while
/// they are in the caches, and without another launch.

#include "zone_kernels.hpp"

namespace npb {

/// Copies points of lines in z, complete for this step, to the boundary planes of those who take them
/// (device_zone::to). Lines are numbered as by find_line<2>: i - 1 + (nx - 2) (j - 1).
class face_sender {
 public:
  YOKE_HD face_sender(const device_zone& zone, const zone_view& z)
      : zone_{zone}, z_{z}, row_{z.nx - 2}, points_{z.nz - 2} {}

  /// Of lines first, …, last - 1: what thread t of n does.
  YOKE_HD void send(int first, int last, int t, int n) const {
    const int first_row = first - first % row_;
    for (int line = first_row; line < last; line += row_) {
      if (line >= first) send_line(zone_.to[0], line, line / row_, t, n);
      const int end = line + row_ - 1;
      if (end >= first && end < last) send_line(zone_.to[1], end, end / row_, t, n);
    }
    if (first < row_) send_row(zone_.to[2], first, smaller(last, row_), t, n);
    const int north = row_ * (z_.ny - 3);
    if (last > north) send_row(zone_.to[3], larger(first, north), last, t, n);
  }

 private:
  /// A line in the west or east, the point `number` of its face.
  YOKE_HD void send_line(const neighbour_plane& to, int line, int number, int t, int n) const {
    if (!to.first) return;
    for (int x = t; x < 5 * points_; x += n) copy(to, line, number, x % points_, x / points_);
  }
  /// Lines of the row in the south or north.
  YOKE_HD void send_row(const neighbour_plane& to, int first, int last, int t, int n) const {
    if (!to.first) return;
    const int lines = last - first;
    for (int x = t; x < lines * points_; x += n) {
      const int line = first + x % lines;
      for (int m = 0; m < 5; ++m) copy(to, line, line % row_, x / lines, m);
    }
  }
  YOKE_HD void copy(const neighbour_plane& to, int line, int number, int k, int m) const {
    const std::int64_t at = z_.grid_index(1 + line % row_, 1 + line / row_, 1 + k);
    to.first[m * to.component + std::int64_t{k} * to.k_stride + std::int64_t{number} * to.line_stride] =
        z_.u[m * z_.component + at];
  }

  YOKE_HD static int smaller(int a, int b) { return a < b ? a : b; }
  YOKE_HD static int larger(int a, int b) { return a > b ? a : b; }

  const device_zone& zone_;
  const zone_view& z_;
  int row_;     ///< lines of a row
  int points_;  ///< of a line
};

}  // namespace npb
