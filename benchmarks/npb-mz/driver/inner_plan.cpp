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
  const std::vector<face_job> copies = copies_in(s);
  copies_ = make_face_table(upload(s, inner, work, work_bytes, copies), copies);
  complete(s, work_generation);
}

std::vector<face_job> inner_plan::copies_in(const stepping& s) const {
  std::vector<face_job> copies;
  for (const int zone : share_) {
    const yoke::device_ptr<double> source = s.zones.on_device(zone, unit_.space).u;
    for (const side at : all_sides) {
      const int face = face_of(zone, at), other = s.faces.receiver(face);
      if (s.faces.stays_with(face, unit_.id))
        copies.push_back({inner_plane(s.zones.shape(zone), at),
                          outer_plane(s.zones.shape(other), opposite(at)),
                          source,
                          s.zones.on_device(other, unit_.space).u,
                          {}});
    }
  }
  return copies;
}

void inner_plan::enqueue_copies() const { launch_moves(*unit_.dev, unit_.stream, copies_, "copy faces"); }

}  // namespace npb
