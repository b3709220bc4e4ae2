#pragma once
/// Rows of a zone as packs in which lane l is row l of a block, l points behind lane 0 (sweep_layout), and
/// back. In an unnamed namespace: see lu_step.hpp.

#include "../../common/pack_rows.hpp"
#include "lu_scratch.hpp"

namespace npb::lu {
namespace {

/// Where the rows of a block lie.
struct block_rows {
  std::int64_t first;  ///< index of i = 0 of the first one in a component of a field
  int n;               ///< that exist
};

template <class T>
class skewed_rows {
 public:
  static constexpr int lanes = T::width;
  /// Of as many steps of a block as there are lanes.
  using tile = five<T>[lanes];

  explicit skewed_rows(const zone_shape& of)
      : nx_{of.nx}, component_{static_cast<std::int64_t>(of.nx) * of.ny * of.nz} {}

  /// The packs of steps first .. first + lanes - 1. Lanes that are no point get finite numbers.
  NPB_HD void gather(const double* field, const block_rows& rows, int first, tile& to) const {
    for (int m = 0; m < 5; ++m) {
      const double* from = field + m * component_ + rows.first;
      T square[lanes];
      for (int l = 0; l < lanes; ++l)
        square[l] = T::load(from + std::int64_t{nx_} * smaller(l, rows.n - 1) + first_point(first, l));
      transpose(square);
      for (int t = 0; t < lanes; ++t) to[t][m] = square[t];
    }
  }
  /// The lanes that are points.
  NPB_HD void scatter(const tile& from, const block_rows& rows, int first, double* field) const {
    for (int m = 0; m < 5; ++m) {
      T square[lanes];
      for (int t = 0; t < lanes; ++t) square[t] = from[t][m];
      transpose(square);
      double* row = field + m * component_ + rows.first;
      for (int l = 0; l < rows.n; ++l, row += nx_) store_points(square[l], 1 + first - l, row);
    }
  }

 private:
  /// The first point of lane l in the tile that begins with step `first`. Where a tile has no point of the
  /// row, some other of the same row, so that nothing of another plane is read, which another thread may be
  /// changing.
  int first_point(int first, int l) const {
    const int i = 1 + first - l;
    return i > nx_ - 2 ? 1 : i;
  }
  NPB_HD void store_points(const T& points, int i, double* row) const {
    const int last = nx_ - 2;
    if (i >= 1 && i + lanes - 1 <= last) return points.store(row + i);
    for (int n = 0; n < lanes; ++n)
      if (i + n >= 1 && i + n <= last) row[i + n] = points.v[n];
  }

  int nx_;
  std::int64_t component_;
};

}  // namespace
}  // namespace npb::lu
