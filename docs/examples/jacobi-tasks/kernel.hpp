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

/// The largest change of each row, by a block whose threads read neighbours in memory: a maximum is the same
/// in whichever order it is taken.
struct largest_change {
  static constexpr int block = 128;
  static constexpr std::size_t shared_bytes = block * sizeof(double);

  YOKE_HD void operator()(const yoke::block& row, std::int64_t n, yoke::device_ptr<const double> before,
                          yoke::device_ptr<const double> after, yoke::device_ptr<double> largest) const {
    auto* of_thread = row.shared<double>();
    row.for_each_thread([&](int t) {
      double most = 0;
      for (std::int64_t i = row.x * n + t; i < (row.x + 1) * n; i += block)
        most = larger(most, after[i] - before[i]);
      of_thread[t] = most;
    });
    row.for_each(1, [&](int) {
      double most = 0;
      for (int t = 0; t < block; ++t) most = larger(most, of_thread[t]);
      largest[row.x] = most;
    });
  }

  YOKE_HD static double larger(double most, double change) {
    const double size = change < 0 ? -change : change;
    return size > most ? size : most;
  }
};

}  // namespace jacobi
