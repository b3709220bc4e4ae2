#pragma once
/// Bodies of products of matrices, c = a b: a loop over tiles of c on a GPU and on CPUs, and BLAS.

#include "blas.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <yoke/arrays.hpp>

namespace apps {

using input = yoke::view<const double, 2>;
using output = yoke::view<double, 2>;

/// c = a b on chip: 64 x 64 elements of c by 256 threads, 4 x 4 each in registers; 16 columns of a and rows
/// of b at a time. Each element is a sum in the order of k, as in the plain loop.
struct multiply_on_chip : yoke::tiled<64, 64> {
  static constexpr int side = 64, depth = 16, own = 4, across = side / own;
  static constexpr int block = across * across;
  static constexpr std::size_t shared_bytes = 2 * side * depth * sizeof(double);

  struct sums {
    double of[own][own] = {};
  };

  YOKE_HD void operator()(const yoke::tile<2>& t, input a, input b, output c) const {
    double* const of_a = t.shared<double>();
    double* const of_b = of_a + side * depth;
    yoke::per_thread<sums, block> mine;
    const std::int64_t all = a.extent(1);
    for (std::int64_t k0 = 0; k0 < all; k0 += depth) {
      const int deep = static_cast<int>(all - k0 < depth ? all - k0 : depth);
      t.for_each(side * depth, [&](int at) {
        const std::int64_t i = t.begin(0) + at / depth, k = at % depth;
        of_a[at % depth * side + at / depth] = i < t.end(0) && k < deep ? a(i, k0 + k) : 0;
        const std::int64_t j = t.begin(1) + at % side, of_k = at / side;
        of_b[at] = j < t.end(1) && of_k < deep ? b(k0 + of_k, j) : 0;
      });
      t.for_each_thread([&](int thread) {
        sums& own_sums = mine[thread];
        for (int k = 0; k < deep; ++k)
          add_products(own_sums, of_a + k * side + thread / across, of_b + k * side + thread % across);
      });
    }
    t.for_each_thread([&](int thread) {
      for (int i = 0; i < own; ++i)
        for (int j = 0; j < own; ++j) {
          const std::int64_t row = t.begin(0) + thread / across + i * across;
          const std::int64_t column = t.begin(1) + thread % across + j * across;
          if (row < t.end(0) && column < t.end(1)) c(row, column) = mine[thread].of[i][j];
        }
    });
  }

 private:
  /// A thread's rows and columns lie `across` apart, so that neighbours read neighbours.
  static YOKE_HD void add_products(sums& to, const double* a, const double* b) {
    YOKE_UNROLL(4)
    for (int i = 0; i < own; ++i) {
      YOKE_UNROLL(4)
      for (int j = 0; j < own; ++j) to.of[i][j] += a[i * across] * b[j * across];
    }
  }
};

/// The same for a CPU: 4 x 8 elements in registers; of b 256 rows of the tile's columns at a time, 8 columns
/// beside each other. For few rows of c that order of b is not worth making: they take it as it comes, four
/// rows at a time.
struct multiply_in_registers : yoke::tiled<64, 128> {
  static constexpr int block = 1;
  static constexpr int side = 128, rows = 4, columns = 8, depth = 256, few_rows = 24, soon = 4;
  static constexpr std::size_t shared_bytes = sizeof(double) * depth * side;

  struct piece {
    std::int64_t i, j, k;  ///< where it begins
    int high, wide, deep;
  };

  void operator()(const yoke::tile<2>& t, input a, input b, output c) const {
    double* const packed = t.shared<double>();
    if (t.end(0) - t.begin(0) <= few_rows) return multiply_few_rows(t, a, b, c, packed);
    for (std::int64_t k = 0; k < a.extent(1); k += depth) {
      const int deep = least(a.extent(1) - k, depth);
      pack(t, k, deep, b, packed);
      for (std::int64_t j = t.begin(1); j < t.end(1); j += columns)
        for (std::int64_t i = t.begin(0); i < t.end(0); i += rows)
          add_products({i, j, k, least(t.end(0) - i, rows), least(t.end(1) - j, columns), deep}, a,
                       packed + (j - t.begin(1)) * depth, c);
    }
  }

 private:
  static int least(std::int64_t left, int most) {
    return static_cast<int>(std::min<std::int64_t>(left, most));
  }
  static void multiply_few_rows(const yoke::tile<2>& t, input a, input b, output c, double* sums) {
    const int high = least(t.end(0) - t.begin(0), few_rows), wide = least(t.end(1) - t.begin(1), side);
    std::fill_n(sums, high * side, 0.0);
    std::int64_t k = 0;
    for (; k + rows <= a.extent(1); k += rows) {
      const double* of_b[rows];
      for (int n = 0; n < rows; ++n) {
        of_b[n] = b.address(k + n, t.begin(1));
        fetch_row(of_b[n], wide, soon * b.stride(0));
      }
      for (int i = 0; i < high; ++i) {
        const double* const of_a = a.address(t.begin(0) + i, k);
        double* const to = sums + i * side;
        for (int j = 0; j < wide; ++j)
          to[j] = (((to[j] + of_a[0] * of_b[0][j]) + of_a[1] * of_b[1][j]) + of_a[2] * of_b[2][j]) +
                  of_a[3] * of_b[3][j];
      }
    }
    for (; k < a.extent(1); ++k)
      for (int i = 0; i < high; ++i)
        for (int j = 0; j < wide; ++j) sums[i * side + j] += a(t.begin(0) + i, k) * b(k, t.begin(1) + j);
    for (int i = 0; i < high; ++i)
      for (int j = 0; j < wide; ++j) c(t.begin(0) + i, t.begin(1) + j) = sums[i * side + j];
  }
  /// Into the cache, so many elements behind.
  static void fetch_row(const double* row, int wide, std::int64_t behind) {
    constexpr int line = 8;
    for (int j = 0; j < wide; j += line) __builtin_prefetch(row + behind + j);
  }
  /// Row by row of b, so that each page of it is met once.
  static void pack(const yoke::tile<2>& t, std::int64_t k0, int deep, input b, double* packed) {
    for (int k = 0; k < deep; ++k)
      for (std::int64_t j = 0; j < t.end(1) - t.begin(1); ++j)
        packed[j / columns * columns * depth + k * columns + j % columns] = b(k0 + k, t.begin(1) + j);
  }
  /// Columns behind the last one are computed with what lies there, and left out.
  static void add_products(const piece& at, input a, const double* b, output c) {
    double sums[rows][columns] = {};
    const double* of_a[rows];
    for (int i = 0; i < rows; ++i) {
      of_a[i] = a.address(at.i + std::min(i, at.high - 1), at.k);
      for (int j = 0; at.k > 0 && i < at.high && j < at.wide; ++j) sums[i][j] = c(at.i + i, at.j + j);
    }
    for (int k = 0; k < at.deep; ++k)
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) sums[i][j] += of_a[i][k] * b[k * columns + j];
    for (int i = 0; i < at.high; ++i)
      for (int j = 0; j < at.wide; ++j) c(at.i + i, at.j + j) = sums[i][j];
  }
};

struct multiply_by_blas : yoke::whole_part {
  void operator()(const yoke::part<2>& p, input a, input b, output c) const {
    blas::multiply(p.cpus(), p.extent(0), c.extent(1), a.extent(1), a.first().address(), a.stride(0),
                   b.first().address(), b.stride(0), c.first().address(), c.stride(0));
  }
};

}  // namespace apps
