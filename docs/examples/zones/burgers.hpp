#pragma once
/// The problem of both programs: zones of uneven widths, their start, and one point of a step.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <yoke/compiler.hpp>

namespace burgers {

/// Upwind transport and diffusion.
YOKE_HD inline double next(double here, double west, double east, double south, double north) {
  const double transport = here * (2 * here - west - south),
               diffusion = west + east + south + north - 4 * here;
  return here - 0.05 * transport + 0.1 * diffusion;
}

struct grid {
  std::vector<std::int64_t> widths, heights;
  std::int64_t nz = 1;
  int steps = 1;

  int columns() const { return static_cast<int>(widths.size()); }
  int rows() const { return static_cast<int>(heights.size()); }
  int zones() const { return columns() * rows(); }
  std::int64_t nx(int z) const { return widths[static_cast<std::size_t>(z % columns())]; }
  std::int64_t ny(int z) const { return heights[static_cast<std::size_t>(z / columns())]; }
  int east(int z) const { return z / columns() * columns() + (z + 1) % columns(); }
  int north(int z) const { return (z + columns()) % zones(); }
  double points() const {
    double all = 0;
    for (int z = 0; z < zones(); ++z) all += static_cast<double>(nx(z) * ny(z) * nz);
    return all;
  }
  /// `u(k, j, i)` is a point of the zone.
  template <class Zone>
  void start(int z, const Zone& u) const {
    for (std::int64_t k = 0; k < nz; ++k)
      for (std::int64_t j = 0; j < ny(z); ++j)
        for (std::int64_t i = 0; i < nx(z); ++i)
          u(k, j, i) = 1 + 0.5 * std::sin(0.1 * static_cast<double>(i) + z) *
                               std::cos(0.2 * static_cast<double>(j + k));
  }
  template <class Zone>
  double sum(int z, const Zone& u) const {
    double all = 0;
    for (std::int64_t k = 0; k < nz; ++k)
      for (std::int64_t j = 0; j < ny(z); ++j)
        for (std::int64_t i = 0; i < nx(z); ++i) all += u(k, j, i);
    return all;
  }
};

/// Widths that grow by about a tenth from zone to zone.
inline std::vector<std::int64_t> uneven(int n, std::int64_t smallest) {
  std::vector<std::int64_t> all;
  for (int i = 0; i < n; ++i) all.push_back(smallest + smallest * i / 8);
  return all;
}

inline grid grid_of(int argc, char** argv) {
  const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  return {uneven(argument(1, 4), 48), uneven(argument(2, 4), 24), argument(3, 16), argument(4, 100)};
}

inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace burgers
