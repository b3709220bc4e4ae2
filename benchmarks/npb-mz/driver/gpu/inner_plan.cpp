#include "inner_plan.hpp"

#include <algorithm>

namespace npb {

namespace {

/// For each of n zones, whether it is one of these.
std::vector<bool> members(std::span<const yoke::task_id> zones, int n) {
  std::vector<bool> are(static_cast<std::size_t>(n));
  for (const int zone : zones) are[static_cast<std::size_t>(zone)] = true;
  return are;
}

}  // namespace

bool inner_plan::fits(const stepping& s, std::span<const yoke::task_id> share, long work_generation) const {
  return is_current(s, work_generation) && std::ranges::equal(share, share_);
}

void inner_plan::lay_out(const stepping& s, std::span<const yoke::task_id> share,
                         std::span<const yoke::task_id> inner, std::byte* work, long work_generation,
                         std::span<const std::size_t> work_bytes, std::size_t begun_elsewhere) {
  begin(s, inner);
  begun_elsewhere_ = begun_elsewhere;
  share_.assign(share.begin(), share.end());
  upload_zones(s, inner, work, work_bytes, true);
  const std::vector<bool> is_inner = members(inner, s.zones.n_zones());
  std::vector<face_job> jobs, to_inner, to_border;
  for (const int zone : share_) {
    for (const side at : all_sides) {
      const int face = face_of(zone, at), other = s.faces.receiver(face);
      if (s.faces.route_of(face).by != way::sent) continue;
      const bool from_inner = is_inner[static_cast<std::size_t>(zone)];
      const bool across = from_inner != is_inner[static_cast<std::size_t>(other)];
      (!across ? jobs : from_inner ? to_border : to_inner).push_back(copy_of(s, zone, at, other));
    }
  }
  const std::ptrdiff_t within = std::ssize(jobs);
  jobs.insert(jobs.end(), to_inner.begin(), to_inner.end());
  jobs.insert(jobs.end(), to_border.begin(), to_border.end());
  const yoke::device_ptr<const face_job> uploaded = upload_faces(jobs);
  all_ = make_face_table(uploaded, jobs);
  to_inner_ = make_face_table(uploaded + within, to_inner);
  to_border_ = make_face_table(uploaded + within + std::ssize(to_inner), to_border);
  complete(s, work_generation);
}

face_job inner_plan::copy_of(const stepping& s, int zone, side at, int other) const {
  return {inner_plane(s.zones.shape(zone), at),
          outer_plane(s.zones.shape(other), opposite(at)),
          s.zones.on_device(zone, unit_.space).u,
          s.zones.on_device(other, unit_.space).u,
          {}};
}

void inner_plan::enqueue_copies(yoke::stream_handle stream) const {
  launch_moves(*unit_.dev, stream, all_, "copy faces");
}

void inner_plan::enqueue_copies_to_inner(yoke::stream_handle stream) const {
  launch_moves(*unit_.dev, stream, to_inner_, "copy faces");
}

void inner_plan::enqueue_copies_to_border(yoke::stream_handle stream) const {
  launch_moves(*unit_.dev, stream, to_border_, "copy faces");
}

}  // namespace npb
