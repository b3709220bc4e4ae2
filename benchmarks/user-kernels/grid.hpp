#pragma once
/// What each kernel works on: layers (points, rows or planes) that follow one another in memory.

#include <cstdint>
#include <string>
#include <vector>

namespace user_kernels {

enum class kernel {
  saxpy,
  five_points,
  twenty_seven_points,
  row_sums,
  sixty_operations,
  called_operations,
  look_up
};

struct grid {
  kernel what;
  std::string name;
  std::int64_t nx;      ///< points of a row, without the border
  std::int64_t ny;      ///< rows of a plane, without the border; 1 where a layer is a row or a point
  std::int64_t layers;  ///< to compute
  std::int64_t width;   ///< from row to row, with the border
  std::int64_t layer;   ///< from layer to layer, with the border
  std::int64_t halo;    ///< layers that are read before the first and behind the last
  std::int64_t results_of_layer;

  std::int64_t points() const { return nx * ny * layers; }
};

/// All kernels on about `points` points each.
std::vector<grid> grids_of(std::int64_t points);

/// What value i of the whole input is; it has no symmetry that could hide a mistake.
inline double initial(std::int64_t i) { return 1.0 + static_cast<double>(i * 37 % 101) / 64; }

/// Entries of the table of look_up.
inline constexpr std::int64_t entries = 4096;
/// All of it: ascending values from 1 on, beyond the largest that `initial` gives, and what belongs to each.
std::vector<double> table();

}  // namespace user_kernels
