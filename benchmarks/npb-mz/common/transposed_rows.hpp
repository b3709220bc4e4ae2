#pragma once
/// Between rows along i and packs of x lines, one line a lane. In an unnamed namespace: see pack.hpp.

#include "pack_rows.hpp"

namespace npb {
namespace {

/// `values` numbers of the points 0 <= i < n of `rows` rows, from a tile [row][values][width] into packs
/// [i][packs]: lane t has row t. Missing rows repeat the last one.
template <class T>
NPB_HD void rows_to_lines(const double* tile, int values, int width, int rows, int n, double* line,
                          int packs) {
  T block[T::width];
  for (int i = 0; i < n; i += T::width)
    for (int m = 0; m < values; ++m) {
      for (int t = 0; t < T::width; ++t)
        block[t] = T::load(tile + (smaller(t, rows - 1) * values + m) * width + i);
      transpose(block);
      for (int l = 0; l < T::width; ++l) block[l].store(line + ((i + l) * packs + m) * T::width);
    }
}

/// The first five packs of each point back into rows [5][width], `row_step` doubles apart.
template <class T>
NPB_HD void lines_to_rows(const double* line, int packs, int n, double* to, int width, int rows,
                          std::int64_t row_step) {
  T block[T::width];
  for (int i = 0; i < n; i += T::width)
    for (int m = 0; m < 5; ++m) {
      for (int l = 0; l < T::width; ++l) block[l] = T::load(line + ((i + l) * packs + m) * T::width);
      transpose(block);
      for (int t = 0; t < rows; ++t) block[t].store(to + t * row_step + m * width + i);
    }
}

}  // namespace
}  // namespace npb
