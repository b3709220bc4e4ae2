#include "inner_plan.hpp"

#include "zone_table.hpp"

#include <algorithm>

namespace npb {

inner_plan::inner_plan(const yoke::compute_unit& unit)
    : unit_{unit},
      tables_{*unit.dev, device_buffer::kind::device},
      upload_{*unit.dev, device_buffer::kind::pinned} {}

inner_plan::~inner_plan() { drop_graph(); }

void inner_plan::drop_graph() noexcept {
  if (graph.native != nullptr) unit_.dev->destroy_graph(graph);
  graph = {};
}

bool inner_plan::fits(const stepping& s, std::span<const yoke::task_id> share, long work_generation) const {
  return moves_ == s.zones.moves() && epoch_ == s.faces.epoch() && work_generation_ == work_generation &&
         std::ranges::equal(share, share_);
}

void inner_plan::lay_out(const stepping& s, std::span<const yoke::task_id> share,
                         std::span<const yoke::task_id> inner, std::byte* work, long work_generation,
                         std::span<const std::size_t> work_bytes) {
  drop_graph();
  uses = 0;
  moves_ = -1;  // fits nothing until all of it is there
  share_.assign(share.begin(), share.end());
  shapes_.clear();
  for (const int zone : inner) shapes_.push_back(s.zones.shape(zone));
  upload(zone_table(s, inner, unit_.space, work, work_bytes), copies_in(s));
  moves_ = s.zones.moves();
  epoch_ = s.faces.epoch();
  work_generation_ = work_generation;
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

void inner_plan::upload(std::span<const device_zone> zones, std::span<const face_job> copies) {
  const std::size_t copies_at = aligned(zones.size_bytes()), total = copies_at + copies.size_bytes();
  copies_ = {};
  if (total == 0) return;
  unit_.dev->synchronize(unit_.stream);  // an earlier upload may still read the staging
  tables_.reserve(total, "the tables of a batch");
  upload_.reserve(total, "the tables of a batch, in pinned memory");
  std::ranges::copy(std::as_bytes(zones), upload_.data());
  std::ranges::copy(std::as_bytes(copies), upload_.data() + copies_at);
  unit_.dev->copy(unit_.stream, tables_.data(), upload_.data(), total, yoke::copy_kind::host_to_device);
  const auto* const jobs = reinterpret_cast<const face_job*>(tables_.data() + copies_at);
  copies_ = make_face_table(yoke::device_ptr<const face_job>{jobs}, copies);
}

yoke::device_ptr<const device_zone> inner_plan::zones() const {
  return yoke::device_ptr<const device_zone>{reinterpret_cast<const device_zone*>(tables_.data())};
}

void inner_plan::enqueue_copies() const { launch_moves(*unit_.dev, unit_.stream, copies_, "copy faces"); }

}  // namespace npb
