#pragma once
/// A sparse matrix for both forms: the operator of 27 points on a grid of n x n x n.

#include <cstdint>
#include <vector>

namespace apps {

/// Row r is that of point (i, j, k), r = (i n + j) n + k: 26 for the point itself and -1 for each neighbour
/// inside, in the order of their numbers.
struct compressed_rows {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
};
compressed_rows operator_of_27_points(std::int64_t n);

/// The same as rows of 27 elements each (ELLPACK): those that a row lacks are 0, in its own column.
struct padded_rows {
  static constexpr std::int64_t width = 27;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
};
padded_rows padded(const compressed_rows& from);

}  // namespace apps
