#include "peer_message.hpp"

#include <utility>

namespace npb {

std::vector<double*> peer_message::lay_out(std::span<const face_slot> faces) {
  packed_.reserve(bytes_of(faces), "the faces that leave for other devices");
  packed_faces packed = pack_side_by_side(faces, packed_.data());
  runs_ = std::move(packed.runs);
  return std::move(packed.places);
}

void peer_message::enqueue(yoke::stream_handle stream) const {
  for (const face_run& r : runs_)
    device_.copy(stream, r.slots, r.buffer, r.bytes, yoke::copy_kind::device_to_device);
}

}  // namespace npb
