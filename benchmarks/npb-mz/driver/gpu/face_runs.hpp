#pragma once
/// Faces that travel together, as the few copies that they are where their slots lie side by side.

#include <cstddef>
#include <span>
#include <vector>

#include <yoke/ids.hpp>

namespace npb {

struct face_slot {
  double* address;
  std::size_t size;  ///< doubles
  yoke::space_id space = yoke::host_space;
};

/// Slots that lie side by side in one space, and as many bytes of a buffer.
struct face_run {
  std::byte* slots;
  std::byte* buffer;
  std::size_t bytes;
  yoke::space_id space;  ///< of the slots
};

struct packed_faces {
  std::vector<face_run> runs;
  std::vector<double*> places;  ///< of each face, in the buffer
};

std::size_t bytes_of(std::span<const face_slot> faces);
/// Requires: the buffer has room for bytes_of(faces).
packed_faces pack_side_by_side(std::span<const face_slot> faces, std::byte* buffer);

}  // namespace npb
