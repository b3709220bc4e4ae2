#pragma once
/// Copies of faces on one unit: from zone to zone, into messages and out of them.

#include "zone_joins.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <yoke/detail/zone_calls.hpp>
#include <yoke/kernel.hpp>

namespace yoke::detail {

/// Some rows of `n[2]` bytes of unit size, at strides of their own at both ends. In the table that a kernel
/// reads; both addresses are of the unit's memory.
struct face_move {
  device_ptr<const std::byte> from;
  device_ptr<std::byte> to;
  std::int32_t n[3] = {1, 1, 1};          ///< planes, rows, words of a row
  std::int32_t from_strides[2] = {0, 0};  ///< in words, from plane to plane and from row to row
  std::int32_t to_strides[2] = {0, 0};

  std::int64_t words() const { return std::int64_t{n[0]} * n[1] * n[2]; }
};

/// Points of a field in a zone: where its memory begins there, and the box, which counts from the zone's
/// first point.
struct face_box {
  const field_form* form;
  zone_box zone;
  std::int64_t begin[3];
  std::int64_t n[3];
};
/// Points of a zone at a side: as many layers of its own, and those of its halo there.
face_box inner_face(const field_form& form, const zone_box& zone, side at, std::int64_t layers);
face_box outer_face(const field_form& form, const zone_box& zone, side at);
std::size_t bytes_of(const face_box& face);
/// Bytes of the words in which elements of that form are copied: 8, 4 or 1.
int word_bytes(const field_form& form);

/// Between two zones, from a zone into a message, and back, one or more for each component; `memory` is where
/// the zone's field begins. A message has points in the order of the zone that takes them. `turn`: of the
/// giver, along each dimension of the taker.
void add_moves_between(std::vector<face_move>& all, const face_box& from, const void* from_memory,
                       const zone_turn& turn, const face_box& to, void* to_memory);
void add_moves_out(std::vector<face_move>& all, const face_box& from, const void* memory,
                   const zone_turn& turn, const face_box& to, void* message);
void add_moves_in(std::vector<face_move>& all, const void* message, const face_box& to, void* memory);

/// One launch for all moves of a table with that size of words.
void launch_face_moves(const zone_launch& where, int word_bytes, const char* name);

}  // namespace yoke::detail
