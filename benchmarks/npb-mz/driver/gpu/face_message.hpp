#pragma once
/// The faces of a batch that travel between host memory and a device, in as few copies as that can be.

#include "driver/faces/device_buffer.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace npb {

/// On the device its faces lie side by side. What lies side by side in host memory too is one copy; where
/// that leaves too many, all faces are one copy, and the host copies them from and to their slots.
class face_message {
 public:
  struct face {
    double* slot;      ///< in host memory
    std::size_t size;  ///< doubles
  };
  explicit face_message(yoke::device& dev);

  /// Returns where each of `faces` lies on the device. Errors: out_of_memory naming `purpose`.
  std::vector<double*> lay_out(std::span<const face> faces, const char* purpose);
  std::size_t bytes() const { return bytes_; }

  /// Into the device: gather, then enqueue_in. The slots must be complete.
  void gather() const;
  void enqueue_in(yoke::stream_handle stream) const;
  /// Out of it: enqueue_out; the slots are complete once that has run and scatter is called.
  void enqueue_out(yoke::stream_handle stream) const;
  void scatter() const;

 private:
  struct run {
    std::byte* slots;  ///< in host memory
    std::byte* other;  ///< on the device, or in staging_
    std::size_t bytes;
  };
  void use_staging();

  yoke::device& device_;
  device_buffer on_device_, staging_;
  std::size_t bytes_ = 0;
  std::vector<run> by_device_;
  std::vector<run> by_host_;
};

}  // namespace npb
