#pragma once
/// How a solver's last kernel of a step hands the first interior planes of a zone to its neighbours.

#include "zone_kernels.hpp"

namespace npb {

/// The z line at (i, j), complete for this step, to the boundary planes of neighbours that take it
/// (device_zone:: to): points k = first, first + step, …
class line_sender {
 public:
  YOKE_HD line_sender(const device_zone& zone, const zone_view& z, int i, int j)
      : zone_{zone}, z_{z}, i_{i}, j_{j} {}

  YOKE_HD void send(int first, int step) const {
    if (i_ == 1) send(zone_.to[0], j_ - 1, first, step);
    if (i_ == z_.nx - 2) send(zone_.to[1], j_ - 1, first, step);
    if (j_ == 1) send(zone_.to[2], i_ - 1, first, step);
    if (j_ == z_.ny - 2) send(zone_.to[3], i_ - 1, first, step);
  }

 private:
  /// A few points at a time are read before the first is written.
  static constexpr int at_once = 4;

  YOKE_HD void send(const neighbour_plane& to, int line, int first, int step) const {
    if (!to.first) return;
    double* const target = to.first.get() + static_cast<std::int64_t>(line) * to.line_stride;
    for (int k = first; k <= z_.nz - 2; k += at_once * step) {
      five<double> u[at_once];
      NPB_UNROLL
      for (int n = 0; n < at_once; ++n)
        if (k + n * step <= z_.nz - 2) u[n] = z_.components(z_.grid_index(i_, j_, k + n * step));
      NPB_UNROLL
      for (int n = 0; n < at_once; ++n)
        if (k + n * step <= z_.nz - 2) put(to, target + (k + n * step - 1) * to.k_stride, u[n]);
    }
  }
  YOKE_HD static void put(const neighbour_plane& to, double* point, const five<double>& u) {
    for (int m = 0; m < 5; ++m) point[m * to.component] = u[m];
  }

  const device_zone& zone_;
  const zone_view& z_;
  int i_, j_;
};

/// Of line number `number` in z, as find_line<2> counts.
YOKE_HD inline line_sender sender_of_line(const device_zone& zone, const zone_view& z, std::int64_t number) {
  const auto n = static_cast<std::uint32_t>(number), row = static_cast<std::uint32_t>(z.nx - 2);
  return {zone, z, 1 + static_cast<int>(n % row), 1 + static_cast<int>(n / row)};
}

}  // namespace npb
