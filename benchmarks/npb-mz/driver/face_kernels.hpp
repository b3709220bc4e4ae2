#pragma once
/// Packing and unpacking of many faces in one launch.

#include "faces.hpp"

#include <cstdint>

#include <yoke/device.hpp>
#include <yoke/kernel.hpp>

namespace npb {

/// One face of one zone, as kernels read it from a table in device memory.
struct face_job {
  plane at;
  yoke::device_ptr<double> field;
  yoke::device_ptr<double> face;
  yoke::device_ptr<double> copy;  ///< pack: a second place for the face; may be null
};

struct face_table {
  yoke::device_ptr<const face_job> jobs;
  int n_jobs = 0;
  std::int64_t largest = 0;  ///< doubles of the largest face
};

/// One launch for the whole table (one for each 65535 faces), asynchronous.
void launch_pack(yoke::device& dev, yoke::stream_handle stream, const face_table& table);
void launch_unpack(yoke::device& dev, yoke::stream_handle stream, const face_table& table);

}  // namespace npb
