#include "face_message.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

namespace npb {

namespace {

/// Where the map is known there is one for each pair of CUs.
constexpr std::size_t most_copies = 4;

std::vector<std::size_t> by_address(std::span<const face_message::face> faces) {
  std::vector<std::size_t> order(faces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::less<>{}, [&](std::size_t i) { return faces[i].slot; });
  return order;
}

}  // namespace

face_message::face_message(yoke::device& dev)
    : device_{dev},
      on_device_{dev, device_buffer::kind::device},
      staging_{dev, device_buffer::kind::pinned} {}

std::vector<double*> face_message::lay_out(std::span<const face> faces, const char* purpose) {
  bytes_ = 0;
  for (const face& f : faces) bytes_ += f.size * sizeof(double);
  on_device_.reserve(bytes_, purpose);
  by_device_.clear();
  by_host_.clear();
  std::vector<double*> places(faces.size());
  std::byte* next = on_device_.data();
  for (const std::size_t i : by_address(faces)) {
    auto* const slot = reinterpret_cast<std::byte*>(faces[i].slot);
    const std::size_t size = faces[i].size * sizeof(double);
    if (!by_device_.empty() && by_device_.back().slots + by_device_.back().bytes == slot)
      by_device_.back().bytes += size;
    else
      by_device_.push_back({slot, next, size});
    places[i] = reinterpret_cast<double*>(next);
    next += size;
  }
  if (by_device_.size() > most_copies) use_staging();
  return places;
}

void face_message::use_staging() {
  staging_.reserve(bytes_, "a message of faces, in pinned memory");
  for (const run& r : by_device_)
    by_host_.push_back({r.slots, staging_.data() + (r.other - on_device_.data()), r.bytes});
  by_device_ = {{staging_.data(), on_device_.data(), bytes_}};
}

void face_message::gather() const {
  for (const run& r : by_host_) std::memcpy(r.other, r.slots, r.bytes);
}

void face_message::scatter() const {
  for (const run& r : by_host_) std::memcpy(r.slots, r.other, r.bytes);
}

void face_message::enqueue_in(yoke::stream_handle stream) const {
  for (const run& r : by_device_)
    device_.copy(stream, r.other, r.slots, r.bytes, yoke::copy_kind::host_to_device);
}

void face_message::enqueue_out(yoke::stream_handle stream) const {
  for (const run& r : by_device_)
    device_.copy(stream, r.slots, r.other, r.bytes, yoke::copy_kind::device_to_host);
}

}  // namespace npb
