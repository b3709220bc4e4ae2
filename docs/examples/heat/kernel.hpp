#pragma once
/// The mathematics of one point, for a CPU, an emulated device and a GPU alike.

#include <yoke/kernel.hpp>

namespace heat {

/// Explicit Euler with dt / dx^2 = 1/8. A power of two: products are exact, so the result does not depend on
/// whether a compiler fuses them with the sums.
YOKE_HD inline double advance(double here, double west, double east, double south, double north) {
  return here + 0.125 * (((west + east) + (south + north)) - 4.0 * here);
}

/// What a step of one block reads and writes, as addresses in one memory.
struct step_view {
  std::int64_t w;
  std::int64_t h;
  yoke::device_ptr<const double> from;
  yoke::device_ptr<double> to;
  yoke::device_ptr<const double> in[4];  ///< the neighbours' edges; null at the border
  yoke::device_ptr<double> out[4];
};

struct heat_step {
  YOKE_HD void operator()(yoke::item at, step_view v) const {
    const std::int64_t x = at.x, y = at.y, i = y * v.w + x;
    const double west = x > 0 ? v.from[i - 1] : edge(v.in[0], y);
    const double east = x + 1 < v.w ? v.from[i + 1] : edge(v.in[1], y);
    const double south = y > 0 ? v.from[i - v.w] : edge(v.in[2], x);
    const double north = y + 1 < v.h ? v.from[i + v.w] : edge(v.in[3], x);
    const double next = advance(v.from[i], west, east, south, north);
    v.to[i] = next;
    if (x == 0) v.out[0][y] = next;
    if (x + 1 == v.w) v.out[1][y] = next;
    if (y == 0) v.out[2][x] = next;
    if (y + 1 == v.h) v.out[3][x] = next;
  }

  YOKE_HD static double edge(yoke::device_ptr<const double> values, std::int64_t i) {
    return values ? values[i] : 0.0;
  }
};

}  // namespace heat
