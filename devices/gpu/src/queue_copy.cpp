#include "queue_copy.hpp"

#include "all_pinned_pages.hpp"

#include <cstddef>

namespace yoke::gpu {

namespace {

auto direction(copy_kind kind) {
  if (kind == copy_kind::host_to_device) return copy_to_device;
  if (kind == copy_kind::device_to_host) return copy_to_host;
  // Either end may belong to another device: the addresses say which.
  return copy_anywhere;
}

error queue_rows(const box_copy& what, void* to, const void* from, stream on) {
  if (what.rows == 1) return memcpy_async(to, from, what.bytes, direction(what.kind), on);
  return memcpy_2d_async(to, what.to_pitch.row, from, what.from_pitch.row, what.bytes, what.rows,
                         direction(what.kind), on);
}

/// The vendors count the distance of planes in rows.
bool is_whole_rows(const box_pitch& pitch) { return pitch.row > 0 && pitch.plane % pitch.row == 0; }

pitched_pointer end_of(const void* address, const box_pitch& pitch, std::size_t bytes) {
  return {.ptr = const_cast<void*>(address),
          .pitch = pitch.row,
          .xsize = bytes,
          .ysize = pitch.plane / pitch.row};
}

error queue_planes_at_once(const box_copy& what, stream on) {
  memcpy_3d_parameters parameters{};
  parameters.srcPtr = end_of(what.from, what.from_pitch, what.bytes);
  parameters.dstPtr = end_of(what.to, what.to_pitch, what.bytes);
  parameters.extent = {.width = what.bytes, .height = what.rows, .depth = what.planes};
  parameters.kind = direction(what.kind);
  return memcpy_3d_async(&parameters, on);
}

error queue_planes(const box_copy& what, stream on) {
  for (std::size_t k = 0; k < what.planes; ++k) {
    const error code = queue_rows(what, static_cast<std::byte*>(what.to) + k * what.to_pitch.plane,
                                  static_cast<const std::byte*>(what.from) + k * what.from_pitch.plane, on);
    if (code != success) return code;
  }
  return success;
}

error queue_in_one_piece(const box_copy& what, stream on) {
  if (what.planes == 1) return queue_rows(what, what.to, what.from, on);
  const bool at_once = is_whole_rows(what.to_pitch) && is_whole_rows(what.from_pitch);
  return at_once ? queue_planes_at_once(what, on) : queue_planes(what, on);
}

/// The bytes of host memory that a copy reads or writes lie in one piece, as vendors want them.
bool is_in_one_piece(const box_copy& what) {
  if (what.kind == copy_kind::device_to_device) return true;
  const bool to_host = what.kind == copy_kind::device_to_host;
  const std::size_t bytes = detail::span_of(what, to_host ? what.to_pitch : what.from_pitch);
  return all_pinned_pages().in_one_piece(to_host ? what.to : what.from, bytes) == bytes;
}

std::size_t first_piece(const box_copy& row) {
  const bool to_host = row.kind == copy_kind::device_to_host;
  return all_pinned_pages().in_one_piece(to_host ? row.to : row.from, row.bytes);
}

error queue_pieces(const box_copy& what, stream on) {
  if (is_in_one_piece(what)) return queue_in_one_piece(what, on);
  const bool is_row = what.planes == 1 && what.rows == 1;
  const auto [first, rest] = is_row ? detail::cut(what, first_piece(what)) : detail::halves(what);
  const error code = queue_pieces(first, on);
  return code == success ? queue_pieces(rest, on) : code;
}

}  // namespace

error queue_copy(const box_copy& what, stream on) { return queue_pieces(detail::simplified(what), on); }

}  // namespace yoke::gpu
