#include "inner_plan.hpp"

#include <algorithm>

namespace npb {

bool inner_plan::fits(const stepping& s, std::span<const yoke::task_id> share, long work_generation) const {
  return is_current(s, work_generation) && std::ranges::equal(share, share_);
}

void inner_plan::lay_out(const stepping& s, std::span<const yoke::task_id> share,
                         std::span<const yoke::task_id> inner, std::byte* work, long work_generation,
                         std::span<const std::size_t> work_bytes) {
  begin(s, inner);
  share_.assign(share.begin(), share.end());
  upload_zones(s, inner, work, work_bytes, true);
  std::vector<face_job> copies = copies_in(s, inner, true);
  const std::size_t across = copies.size();
  const std::vector<face_job> within = copies_in(s, inner, false);
  copies.insert(copies.end(), within.begin(), within.end());
  const yoke::device_ptr<const face_job> jobs = upload_faces(copies);
  all_ = make_face_table(jobs, copies);
  across_ = make_face_table(jobs, std::span{copies}.first(across));
  complete(s, work_generation);
}

/// Those between inner zones and others, or the rest.
std::vector<face_job> inner_plan::copies_in(const stepping& s, std::span<const yoke::task_id> inner,
                                            bool across) const {
  std::vector<bool> is_inner(static_cast<std::size_t>(s.zones.n_zones()));
  for (const int zone : inner) is_inner[static_cast<std::size_t>(zone)] = true;
  std::vector<face_job> copies;
  for (const int zone : share_) {
    for (const side at : all_sides) {
      const int face = face_of(zone, at), other = s.faces.receiver(face);
      if (!s.faces.stays_with(face, unit_.id)) continue;
      const bool differ =
          is_inner[static_cast<std::size_t>(zone)] != is_inner[static_cast<std::size_t>(other)];
      if (differ == across) copies.push_back(copy_of(s, zone, at, other));
    }
  }
  return copies;
}

face_job inner_plan::copy_of(const stepping& s, int zone, side at, int other) const {
  return {inner_plane(s.zones.shape(zone), at),
          outer_plane(s.zones.shape(other), opposite(at)),
          s.zones.on_device(zone, unit_.space).u,
          s.zones.on_device(other, unit_.space).u,
          {}};
}

void inner_plan::enqueue_copies(yoke::stream_handle stream, bool others_were_sent) const {
  launch_moves(*unit_.dev, stream, copies(others_were_sent), "copy faces");
}

}  // namespace npb
