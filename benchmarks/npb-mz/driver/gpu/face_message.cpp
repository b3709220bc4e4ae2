#include "face_message.hpp"

#include <cstring>
#include <utility>

namespace npb {

namespace {

/// Where the map is known there is one for each pair of CUs.
constexpr std::size_t most_copies = 4;

}  // namespace

face_message::face_message(yoke::device& dev)
    : device_{dev},
      on_device_{dev, device_buffer::kind::device},
      staging_{dev, device_buffer::kind::pinned} {}

std::vector<double*> face_message::lay_out(std::span<const face_slot> faces, const char* purpose) {
  bytes_ = bytes_of(faces);
  on_device_.reserve(bytes_, purpose);
  packed_faces packed = pack_side_by_side(faces, on_device_.data());
  by_device_ = std::move(packed.runs);
  by_host_.clear();
  if (by_device_.size() > most_copies) use_staging();
  return std::move(packed.places);
}

void face_message::use_staging() {
  staging_.reserve(bytes_, "a message of faces, in pinned memory");
  for (const face_run& r : by_device_)
    by_host_.push_back({r.slots, staging_.data() + (r.buffer - on_device_.data()), r.bytes, r.space});
  by_device_ = {{staging_.data(), on_device_.data(), bytes_, yoke::host_space}};
}

void face_message::gather() const {
  for (const face_run& r : by_host_) std::memcpy(r.buffer, r.slots, r.bytes);
}

void face_message::scatter() const {
  for (const face_run& r : by_host_) std::memcpy(r.slots, r.buffer, r.bytes);
}

void face_message::enqueue_in(yoke::stream_handle stream) const {
  for (const face_run& r : by_device_)
    device_.copy(stream, r.buffer, r.slots, r.bytes, yoke::copy_kind::host_to_device);
}

void face_message::enqueue_out(yoke::stream_handle stream) const {
  for (const face_run& r : by_device_)
    device_.copy(stream, r.slots, r.buffer, r.bytes, yoke::copy_kind::device_to_host);
}

}  // namespace npb
