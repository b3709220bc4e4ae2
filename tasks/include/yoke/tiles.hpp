// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Matrices that are cut into tiles, each a placed object.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/cpp20.hpp>
#include <yoke/placed.hpp>

namespace yoke {

/// How a matrix is cut: the last tiles of both dimensions have what is left.
struct matrix_tiling {
  std::int64_t rows, columns;
  std::int64_t tile_rows, tile_columns;
};

namespace detail {

/// A tiling that was checked.
class tiling_shape {
 public:
  tiling_shape() = default;
  /// Errors: usage_error for an extent below 1, and for more elements than there are addresses.
  tiling_shape(const matrix_tiling& of, std::string_view name);

  const matrix_tiling& of() const { return of_; }
  std::int64_t n_rows() const { return (of_.rows + of_.tile_rows - 1) / of_.tile_rows; }
  std::int64_t n_columns() const { return (of_.columns + of_.tile_columns - 1) / of_.tile_columns; }
  std::int64_t rows_of(std::int64_t i) const { return std::min(of_.tile_rows, of_.rows - i * of_.tile_rows); }
  std::int64_t columns_of(std::int64_t j) const {
    return std::min(of_.tile_columns, of_.columns - j * of_.tile_columns);
  }
  /// The place of a tile among all, by rows. Errors: usage_error.
  std::size_t place_of(std::int64_t i, std::int64_t j) const;
  std::string name_of(std::int64_t i, std::int64_t j) const;
  /// Errors: usage_error where a matrix has not as many elements.
  void check_size(std::size_t elements, const char* call) const;

 private:
  matrix_tiling of_{.rows = 0, .columns = 0, .tile_rows = 1, .tile_columns = 1};
  std::string name_{};
};

}  // namespace detail

/// A matrix in tiles, each a placed object of its own, which roles and all else take:
///
///   yoke::tiles<double, 2> a{rt, {.rows = n, .columns = n, .tile_rows = 256, .tile_columns = 256}, "A"};
///   g.launch<update>({.x = a.columns_of(j), .y = a.rows_of(i)}, "update", in(a.tile(i, k)), inout(a.tile(i,
///   j)));
///
/// A tile has its elements by rows, without gaps: (r, c) of it is number r * columns_of(j) + c.
template <class T, int Rank>
class tiles {
  static_assert(Rank == 2, "tiles cut matrices: tiles<T, 2>");

 public:
  /// No matrix.
  tiles() = default;
  /// Errors: usage_error for an extent below 1; those of placed.
  template <has_memory Runtime>
  tiles(Runtime& rt, const matrix_tiling& how, std::string_view name = "tiles") : shape_{how, name} {
    for (std::int64_t i = 0; i < n_rows(); ++i)
      for (std::int64_t j = 0; j < n_columns(); ++j)
        all_.emplace_back(rt, static_cast<std::size_t>(rows_of(i) * columns_of(j)), shape_.name_of(i, j));
  }

  const matrix_tiling& how() const { return shape_.of(); }
  /// Tiles above each other, and side by side.
  std::int64_t n_rows() const { return shape_.n_rows(); }
  std::int64_t n_columns() const { return shape_.n_columns(); }
  /// Of tile row i, and tile column j.
  std::int64_t rows_of(std::int64_t i) const { return shape_.rows_of(i); }
  std::int64_t columns_of(std::int64_t j) const { return shape_.columns_of(j); }
  /// Errors: usage_error for one that there is not.
  placed<T>& tile(std::int64_t i, std::int64_t j) { return all_[shape_.place_of(i, j)]; }
  const placed<T>& tile(std::int64_t i, std::int64_t j) const { return all_[shape_.place_of(i, j)]; }

  /// From a whole matrix, by rows, behind all tasks that use tiles, and back. Errors: usage_error for another
  /// size; those of placed::host.
  void scatter(std::span<const T> matrix) {
    shape_.check_size(matrix.size(), "scatter");
    for_each_row([&](std::int64_t i, std::int64_t j, std::int64_t row, std::size_t at) {
      const auto part = matrix.subspan(at, static_cast<std::size_t>(columns_of(j)));
      std::ranges::copy(part, tile(i, j).host().begin() + row * columns_of(j));
    });
  }
  void gather(std::span<T> matrix) const {
    shape_.check_size(matrix.size(), "gather");
    for_each_row([&](std::int64_t i, std::int64_t j, std::int64_t row, std::size_t at) {
      const auto first = tile(i, j).host().begin() + row * columns_of(j);
      std::copy(first, first + columns_of(j), matrix.begin() + static_cast<std::ptrdiff_t>(at));
    });
  }

 private:
  /// visit(tile, its row, where that begins in the matrix)
  template <class Visit>
  void for_each_row(const Visit& visit) const {
    for (std::int64_t i = 0; i < n_rows(); ++i)
      for (std::int64_t j = 0; j < n_columns(); ++j)
        for (std::int64_t row = 0; row < rows_of(i); ++row)
          visit(
              i, j, row,
              static_cast<std::size_t>((i * how().tile_rows + row) * how().columns + j * how().tile_columns));
  }

  detail::tiling_shape shape_;
  std::vector<placed<T>> all_;
};

}  // namespace yoke
