#include "hostless_plan.hpp"

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

bool hostless_plan::fits(const stepping& s, std::span<const yoke::task_id> share,
                         long work_generation) const {
  return is_current(s, work_generation) && std::ranges::equal(share, share_);
}

void hostless_plan::lay_out(const stepping& s, std::span<const yoke::task_id> share,
                            std::span<const yoke::task_id> zones, std::byte* work, long work_generation,
                            std::span<const std::size_t> work_bytes, std::size_t begun_elsewhere) {
  begin(s, zones);
  begun_elsewhere_ = begun_elsewhere;
  share_.assign(share.begin(), share.end());
  upload_zones(s, zones, work, work_bytes, true);
  const std::vector<bool> is_ours = members(zones, s.zones.n_zones());
  std::vector<face_job> jobs, from_border, to_border;
  for (const int zone : share_) {
    for (const side at : all_sides) {
      const int face = face_of(zone, at), other = s.faces.receiver(face);
      if (s.faces.route_of(face).by != way::sent) continue;
      const bool from_ours = is_ours[static_cast<std::size_t>(zone)];
      const bool across = from_ours != is_ours[static_cast<std::size_t>(other)];
      (!across ? jobs : from_ours ? to_border : from_border).push_back(copy_of(s, zone, at, other));
    }
  }
  const std::ptrdiff_t within = std::ssize(jobs);
  jobs.insert(jobs.end(), from_border.begin(), from_border.end());
  jobs.insert(jobs.end(), to_border.begin(), to_border.end());
  const yoke::device_ptr<const face_job> uploaded = upload_faces(jobs);
  all_ = make_face_table(uploaded, jobs);
  from_border_ = make_face_table(uploaded + within, from_border);
  to_border_ = make_face_table(uploaded + within + std::ssize(from_border), to_border);
  complete(s, work_generation);
}

face_job hostless_plan::copy_of(const stepping& s, int zone, side at, int other) const {
  return {inner_plane(s.zones.shape(zone), at),
          outer_plane(s.zones.shape(other), opposite(at)),
          s.zones.on_device(zone, unit_.space).u,
          s.zones.on_device(other, unit_.space).u,
          {}};
}

void hostless_plan::enqueue_copies(yoke::stream_handle stream) const {
  launch_moves(*unit_.dev, stream, all_, "copy faces");
}

void hostless_plan::enqueue_copies_from_border(yoke::stream_handle stream) const {
  launch_moves(*unit_.dev, stream, from_border_, "copy faces");
}

void hostless_plan::enqueue_copies_to_border(yoke::stream_handle stream) const {
  launch_moves(*unit_.dev, stream, to_border_, "copy faces");
}

}  // namespace npb
