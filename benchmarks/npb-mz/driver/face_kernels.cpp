#include "face_kernels.hpp"

#include <algorithm>

namespace npb {

namespace {

/// Offset in the field of the x-th double of a face.
YOKE_HD inline std::int64_t field_offset(const plane& p, std::int64_t x) {
  const auto i = static_cast<std::int32_t>(x);
  const std::int32_t l = i % p.line_points;
  const std::int32_t rest = i / p.line_points;
  const std::int32_t k = rest % p.k_points;
  const std::int32_t m = rest / p.k_points;
  return p.first + m * p.component + static_cast<std::int64_t>(k) * p.k_stride +
         static_cast<std::int64_t>(l) * p.line_stride;
}

struct pack_faces {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<const face_job> jobs) const {
    const face_job& job = jobs[at.y];
    if (at.x >= job.at.size()) return;
    const double value = job.field[field_offset(job.at, at.x)];
    if (job.face) job.face[at.x] = value;
    if (job.copy) job.copy[at.x] = value;
  }
};

struct unpack_faces {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<const face_job> jobs) const {
    const face_job& job = jobs[at.y];
    if (at.x >= job.at.size()) return;
    job.field[field_offset(job.at, at.x)] = job.face[at.x];
  }
};

template <class Kernel>
void launch_table(yoke::device& dev, yoke::stream_handle stream, const face_table& table, const char* name) {
  constexpr int most = 65535;
  for (int first = 0; first < table.n_jobs; first += most) {
    const int n = std::min(most, table.n_jobs - first);
    yoke::launch<Kernel>(dev, stream, yoke::extent{table.largest, n}, name, table.jobs + first);
  }
}

}  // namespace

void launch_pack(yoke::device& dev, yoke::stream_handle stream, const face_table& table) {
  launch_table<pack_faces>(dev, stream, table, "pack faces");
}

void launch_unpack(yoke::device& dev, yoke::stream_handle stream, const face_table& table) {
  launch_table<unpack_faces>(dev, stream, table, "unpack faces");
}

}  // namespace npb
