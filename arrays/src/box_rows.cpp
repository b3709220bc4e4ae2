#include "box_rows.hpp"

namespace yoke::detail {

namespace {

std::size_t bytes_of_stride(const layout& shape, int d) {
  return static_cast<std::size_t>(shape.stride(d)) * shape.element;
}

bool is_padded(const dimension& of) { return of.padded() > of.extent; }

std::size_t extent_of(const layout& shape, int d) { return static_cast<std::size_t>(shape[d].extent); }

}  // namespace

layout dense(const layout& shape) {
  layout same = shape;
  for (dimension& each : same.dims) each = {.extent = each.extent};
  return same;
}

std::int64_t bytes_before_inner(const layout& shape) {
  std::int64_t elements = 0;
  for (int d = 1; d < 4; ++d) elements += shape[d].pad_low() * shape.stride(d);
  return elements * static_cast<std::int64_t>(shape.element);
}

int first_contiguous(const layout& a, const layout& b) {
  int first = 3;
  while (first > 1 && !is_padded(a[first]) && !is_padded(b[first])) --first;
  return first;
}

box_copy box_of_rows(const row_ends& ends, std::int64_t rows, int first) {
  const layout& to = ends.to_shape;
  const layout& from = ends.from_shape;
  box_copy box{.to = ends.to, .from = ends.from, .bytes = to.element};
  for (int d = first; d < 4; ++d) box.bytes *= extent_of(to, d);
  box.to_pitch.row = bytes_of_stride(to, first - 1);
  box.from_pitch.row = bytes_of_stride(from, first - 1);
  if (first == 1) {
    box.rows = static_cast<std::size_t>(rows);
    return box;
  }
  box.rows = extent_of(to, first - 1);
  box.planes = first == 2 ? static_cast<std::size_t>(rows) : extent_of(to, 1);
  box.to_pitch.plane = bytes_of_stride(to, first - 2);
  box.from_pitch.plane = bytes_of_stride(from, first - 2);
  return box;
}

}  // namespace yoke::detail
