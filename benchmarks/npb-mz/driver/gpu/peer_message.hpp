#pragma once
/// The faces of a batch that go from its device straight into slots on others.

#include "driver/faces/device_buffer.hpp"
#include "face_runs.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include <yoke/device.hpp>

namespace npb {

/// Where the map is known there is one copy for each device that takes some: a kernel packs them side by side
/// before.
class peer_message {
 public:
  explicit peer_message(yoke::device& dev) : device_{dev}, packed_{dev, device_buffer::kind::device} {}

  /// Slots on other devices. Returns where each face is to be packed. Errors: out_of_memory.
  std::vector<double*> lay_out(std::span<const face_slot> faces);
  /// Asynchronous.
  void enqueue(yoke::stream_handle stream) const;
  /// The copies, by the space that takes them.
  std::span<const face_run> copies() const { return runs_; }

 private:
  yoke::device_streams& device_;
  device_buffer packed_;
  std::vector<face_run> runs_;
};

}  // namespace npb
