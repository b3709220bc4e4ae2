#pragma once
/// The mathematics of one point, for both forms.

#include <yoke/compiler.hpp>

namespace apps {

YOKE_HD inline double relaxed(double north, double south, double west, double east) {
  return 0.25 * ((north + south) + (west + east));
}
YOKE_HD inline double relaxed(double below, double above, double north, double south, double west,
                              double east) {
  return ((below + above) + (north + south) + (west + east)) / 6;
}

}  // namespace apps
