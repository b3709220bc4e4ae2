#include "face_kernels.hpp"

#include <algorithm>

namespace npb {

namespace {

struct move_faces {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<const face_job> jobs) const {
    const face_job& job = jobs[at.y];
    if (at.x >= job.from.size()) return;
    const auto x = static_cast<std::int32_t>(at.x);
    const std::int32_t l = x % job.from.line_points, rest = x / job.from.line_points;
    const std::int32_t k = rest % job.from.k_points, m = rest / job.from.k_points;
    const double value = job.source[offset_of(job.from, m, k, l)];
    if (job.target) job.target[offset_of(job.to, m, k, l)] = value;
    if (job.copy) job.copy[at.x] = value;
  }

 private:
  YOKE_HD static std::int64_t offset_of(const plane& p, std::int32_t m, std::int32_t k, std::int32_t l) {
    return p.first + m * p.component + static_cast<std::int64_t>(k) * p.k_stride +
           static_cast<std::int64_t>(l) * p.line_stride;
  }
};

}  // namespace

face_table make_face_table(yoke::device_ptr<const face_job> jobs, std::span<const face_job> entries) {
  face_table table{jobs, static_cast<int>(entries.size()), 0};
  for (const face_job& job : entries) table.largest = std::max(table.largest, job.from.size());
  return table;
}

void launch_moves(yoke::device_streams& dev, yoke::stream_handle stream, const face_table& table,
                  const char* name) {
  constexpr int most = 65535;
  for (int first = 0; first < table.n_jobs; first += most) {
    const int n = std::min(most, table.n_jobs - first);
    yoke::launch<move_faces>(dev, stream, yoke::extent{table.largest, n}, name, table.jobs + first);
  }
}

}  // namespace npb
