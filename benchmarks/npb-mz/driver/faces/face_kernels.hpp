#pragma once
/// Moving many faces in one launch: packing, unpacking, and straight from zone to zone.

#include "faces.hpp"

#include <cstdint>
#include <span>

#include <yoke/device.hpp>
#include <yoke/kernel.hpp>

namespace npb {

/// One face, as the kernel reads it from a table in device memory. `from` and `to` have the same points; a
/// packed face is a plane too (packed_plane in faces.hpp).
struct face_job {
  plane from;
  plane to;
  yoke::device_ptr<const double> source;
  yoke::device_ptr<double> target;  ///< may be null
  yoke::device_ptr<double> copy;    ///< a second place for the packed face; may be null
};

struct face_table {
  yoke::device_ptr<const face_job> jobs;
  int n_jobs = 0;
  std::int64_t largest = 0;  ///< doubles of the largest face
};
/// A table that lies at `jobs` in device memory and has these entries.
face_table make_face_table(yoke::device_ptr<const face_job> jobs, std::span<const face_job> entries);

/// One launch for the whole table (one for each 65535 faces), asynchronous. `name` is for messages and
/// profiles.
void launch_moves(yoke::device_streams& dev, yoke::stream_handle stream, const face_table& table,
                  const char* name);

}  // namespace npb
