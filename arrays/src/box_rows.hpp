#pragma once
/// Copies of rows between memories whose rows have different pads.

#include "layout.hpp"

#include <yoke/box_copy.hpp>

namespace yoke::detail {

/// Both point to elements with no pad before them. The shapes have the same extents but for dimension 0.
struct row_ends {
  std::byte* to;
  const std::byte* from;
  const layout& to_shape;
  const layout& from_shape;
};

/// The same without pads, as a user's memory has it.
layout dense(const layout& shape);
/// Bytes from where a row begins to its first element that is no pad.
std::int64_t bytes_before_inner(const layout& shape);

/// The first dimension of those that lie together in both; 1, 2 or 3.
int first_contiguous(const layout& a, const layout& b);
box_copy box_of_rows(const row_ends& ends, std::int64_t rows, int first_contiguous);

/// copy(box) for what the rows can be said with: one box, or with gaps in three dimensions one for each row.
template <class Copy>
void copy_rows(const row_ends& ends, std::int64_t rows, const Copy& copy) {
  const int first = first_contiguous(ends.to_shape, ends.from_shape);
  if (first < 3) return copy(box_of_rows(ends, rows, first));
  row_ends row = ends;
  for (std::int64_t i = 0; i < rows; ++i) {
    copy(box_of_rows(row, 1, first));
    row.to += ends.to_shape.row_bytes();
    row.from += ends.from_shape.row_bytes();
  }
}

}  // namespace yoke::detail
