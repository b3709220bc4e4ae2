#pragma once
/// The mathematics of one point, for a CPU, an emulated device and a GPU alike.

#include <yoke/kernel.hpp>

namespace jacobi {

/// Poisson's equation with the right-hand side 1 and h^2 = 1: a power of two as factor, so that no compiler
/// can round differently by fusing.
YOKE_HD inline double relax(double west, double east, double south, double north) {
  return 0.25 * (((west + east) + (south + north)) + 1.0);
}

/// Any start would do; this one has no symmetry that could hide a mistake.
inline double initial(std::int64_t x, std::int64_t y) {
  return static_cast<double>((x * 37 + y * 101 + x * y * 7) % 64);
}

/// What an iteration of one block reads and writes, as addresses in one memory. Rows of n points; outside of
/// the field is 0.
struct step_view {
  std::int64_t n;
  std::int64_t rows;
  yoke::device_ptr<const double> from;
  yoke::device_ptr<double> to;
  yoke::device_ptr<const double> below;  ///< the neighbours' nearest rows; null at the border
  yoke::device_ptr<const double> above;
  yoke::device_ptr<double> first;  ///< own nearest rows, for the neighbours
  yoke::device_ptr<double> last;
};

struct iterate {
  YOKE_HD void operator()(yoke::item at, step_view v) const {
    const std::int64_t x = at.x, y = at.y, i = y * v.n + x;
    const double west = x > 0 ? v.from[i - 1] : 0.0;
    const double east = x + 1 < v.n ? v.from[i + 1] : 0.0;
    const double south = y > 0 ? v.from[i - v.n] : outside(v.below, x);
    const double north = y + 1 < v.rows ? v.from[i + v.n] : outside(v.above, x);
    const double next = relax(west, east, south, north);
    v.to[i] = next;
    if (y == 0) v.first[x] = next;
    if (y + 1 == v.rows) v.last[x] = next;
  }

  YOKE_HD static double outside(yoke::device_ptr<const double> row, std::int64_t x) {
    return row ? row[x] : 0.0;
  }
};

/// How many points of a row share one partial residual.
constexpr std::int64_t run_length = 64;

/// The largest change of each run of points: a maximum is the same in whichever order it is taken.
struct largest_change {
  YOKE_HD void operator()(yoke::item at, std::int64_t n, yoke::device_ptr<const double> before,
                          yoke::device_ptr<const double> after, yoke::device_ptr<double> largest,
                          std::int64_t runs) const {
    const std::int64_t begin = at.x * run_length, end = begin + run_length < n ? begin + run_length : n;
    double most = 0;
    for (std::int64_t x = begin; x < end; ++x) {
      const double change = after[at.y * n + x] - before[at.y * n + x];
      const double size = change < 0 ? -change : change;
      if (size > most) most = size;
    }
    largest[at.y * runs + at.x] = most;
  }
};

}  // namespace jacobi
