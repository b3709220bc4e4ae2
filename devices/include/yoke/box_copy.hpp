// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Copies of boxes: planes of rows of bytes, with gaps between them.

#include <cstddef>
#include <string>
#include <utility>

#include <yoke/cpp20.hpp>

namespace yoke {

/// Either end of device_to_device may belong to another device of the same backend.
enum class copy_kind { host_to_device, device_to_host, device_to_device };

/// How many bytes from the start of a row, and of a plane, to that of the next one.
struct box_pitch {
  std::size_t row = 0;
  std::size_t plane = 0;
};

/// Copies `planes` planes of `rows` rows of `bytes` bytes. Rows of an end do not overlap: a pitch that is
/// used is at least what it steps over.
///
///   // the column x = 7 of n rows of doubles that are `width` wide, put together behind `packed`
///   dev.copy_box(stream, {.to = packed, .from = &u[7], .bytes = sizeof(double), .rows = n,
///                         .to_pitch = {.row = sizeof(double)}, .from_pitch = {.row = width *
///                         sizeof(double)}, .kind = copy_kind::device_to_device});
struct box_copy {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;  ///< of a row
  std::size_t rows = 1;
  std::size_t planes = 1;
  box_pitch to_pitch{};
  box_pitch from_pitch{};
  copy_kind kind = copy_kind::device_to_device;
};

namespace detail {

constexpr bool is_empty(const box_copy& what) {
  return what.bytes == 0 || what.rows == 0 || what.planes == 0;
}
/// Of all rows, without the gaps.
constexpr std::size_t bytes_of(const box_copy& what) { return what.bytes * what.rows * what.planes; }
/// From the first byte of an end to behind its last. Requires: the box is not empty.
constexpr std::size_t span_of(const box_copy& what, const box_pitch& pitch) {
  return (what.planes - 1) * pitch.plane + (what.rows - 1) * pitch.row + what.bytes;
}
/// The same with as few rows and planes as it can be said with: rows without gaps are one.
box_copy simplified(box_copy what);
/// A copy in two: of planes or else of rows. Requires: more than one row.
std::pair<box_copy, box_copy> halves(const box_copy& what);
/// The first `bytes` bytes of a row, and the others.
std::pair<box_copy, box_copy> cut(const box_copy& row, std::size_t bytes);
/// "copying 3 x 4 rows of 80 bytes from the host to the device"; without rows where there is one.
std::string in_words(const box_copy& what);
/// Errors: device_error naming device, box and pitch when rows or planes overlap, or an end would wrap round.
void require_box(const box_copy& what, const std::string& device);
/// row(to, from) for each row, in order.
template <class Row>
void for_each_row(const box_copy& what, const Row& row) {
  for (std::size_t k = 0; k < what.planes; ++k)
    for (std::size_t j = 0; j < what.rows; ++j)
      row(static_cast<std::byte*>(what.to) + k * what.to_pitch.plane + j * what.to_pitch.row,
          static_cast<const std::byte*>(what.from) + k * what.from_pitch.plane + j * what.from_pitch.row);
}

}  // namespace detail

}  // namespace yoke
