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

/// The same for a CPU: eight rows of b at a time are added to the sums of a tile of c, which stay in its
/// caches. A tile is as wide as it may be there, so that b is read in long rows: where few rows of c are
/// computed, all that a CPU does is to read b. Each element is a sum in the order of k here too.
struct multiply_by_rows : yoke::tiled<64, 256> {
  static constexpr int block = 1;
  static constexpr int high = 64, side = 256, rows = 8;
  static constexpr std::int64_t soon = 16;  ///< rows of b between what is fetched and what is used
  static constexpr std::size_t shared_bytes = sizeof(double) * high * side;

  void operator()(const yoke::tile<2>& t, input a, input b, output c) const {
    double* const sums = t.shared<double>();
    std::fill_n(sums, (t.end(0) - t.begin(0)) * side, 0.0);
    std::int64_t k = 0;
    for (; k + rows <= a.extent(1); k += rows) add_products<rows>(t, k, a, b, sums);
    for (; k < a.extent(1); ++k) add_products<1>(t, k, a, b, sums);
    for (std::int64_t i = t.begin(0); i < t.end(0); ++i)
      for (std::int64_t j = t.begin(1); j < t.end(1); ++j)
        c(i, j) = sums[(i - t.begin(0)) * side + j - t.begin(1)];
  }

 private:
  template <int Deep>
  static void add_products(const yoke::tile<2>& t, std::int64_t k, input a, input b, double* sums) {
    const std::int64_t wide = t.end(1) - t.begin(1);
    const double* of_b[Deep];
    for (int n = 0; n < Deep; ++n) {
      of_b[n] = b.address(k + n, t.begin(1));
      fetch_row(of_b[n] + soon * b.stride(0), wide);
    }
    for (std::int64_t i = t.begin(0); i < t.end(0); ++i, sums += side) {
      const double* const of_a = a.address(i, k);
      for (std::int64_t j = 0; j < wide; ++j) {
        double sum = sums[j];
        YOKE_UNROLL(8)
        for (int n = 0; n < Deep; ++n) sum += of_a[n] * of_b[n][j];
        sums[j] = sum;
      }
    }
  }
  static void fetch_row(const double* row, std::int64_t wide) {
    constexpr int line = 8;
    for (std::int64_t j = 0; j < wide; j += line) __builtin_prefetch(row + j);
  }
};

struct multiply_by_blas : yoke::whole_part {
  void operator()(const yoke::part<2>& p, input a, input b, output c) const {
    blas::multiply(p.cpus(), p.extent(0), c.extent(1), a.extent(1), a.first().address(), a.stride(0),
                   b.first().address(), b.stride(0), c.first().address(), c.stride(0));
  }
};

}  // namespace apps
