#pragma once
/// The faces of a batch that travel between host memory and a device, in as few copies as that can be.

#include "driver/faces/device_buffer.hpp"
#include "face_runs.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include <yoke/device.hpp>

namespace npb {

/// On the device its faces lie side by side. What lies side by side in host memory too is one copy; where
/// that leaves too many, all faces are one copy, and the host copies them from and to their slots.
class face_message {
 public:
  explicit face_message(yoke::device& dev);

  /// Slots in host memory. Returns where each of `faces` lies on the device. Errors: out_of_memory naming
  /// `purpose`.
  std::vector<double*> lay_out(std::span<const face_slot> faces, const char* purpose);
  std::size_t bytes() const { return bytes_; }

  /// Into the device: gather, then enqueue_in. The slots must be complete.
  void gather() const;
  void enqueue_in(yoke::stream_handle stream) const;
  /// Out of it: enqueue_out; the slots are complete once that has run and scatter is called.
  void enqueue_out(yoke::stream_handle stream) const;
  void scatter() const;

 private:
  void use_staging();

  yoke::device_streams& device_;
  device_buffer on_device_, staging_;
  std::size_t bytes_ = 0;
  std::vector<face_run> by_device_;
  std::vector<face_run> by_host_;
};

}  // namespace npb
