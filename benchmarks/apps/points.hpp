#pragma once
/// The mathematics of one point, for both forms.

#include <yoke/compiler.hpp>

namespace apps {

YOKE_HD inline double relaxed(double north, double south, double west, double east) {
  return 0.25 * ((north + south) + (west + east));
}
YOKE_HD inline double relaxed(double below, double above, double north, double south, double west,
                              double east) {
  return ((below + above) + (north + south) + (west + east)) * (1.0 / 6);
}

/// A step of the heat equation; `rate`: conductivity times step over the square of the distance of points.
YOKE_HD inline double warmer(double here, double below, double above, double north, double south, double west,
                             double east, double rate) {
  return here + rate * (((below + above) + (north + south) + (west + east)) - 6 * here);
}

}  // namespace apps
