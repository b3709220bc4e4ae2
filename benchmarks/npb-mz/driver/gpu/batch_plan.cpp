#include "batch_plan.hpp"

#include <algorithm>
#include <iterator>

namespace npb {

namespace {

yoke::device_ptr<double> on_device(double* address) { return yoke::device_ptr<double>{address}; }

}  // namespace

batch_plan::batch_plan(const yoke::compute_unit& unit)
    : device_plan{unit}, in_{*unit.dev}, out_{*unit.dev}, to_peers_{*unit.dev} {}

face_route batch_plan::route_of(const stepping& s, int face) const {
  const face_route& route = s.faces.route_of(face);
  return of_share_ ? route : between_batches(route);
}

/// The first faces after a new map are where their zones were. Errors: those of face_store::check_on_host.
bool batch_plan::comes_from_host(const stepping& s, int face, moment now) const {
  if (s.faces.is_on_device(unit_.space, face, now)) return false;
  s.faces.check_on_host(face, now);
  return true;
}

std::vector<batch_plan::incoming> batch_plan::incoming_of(const stepping& s, moment now) const {
  std::vector<incoming> faces;
  for (const int zone : batch_) {
    for (const side at : all_sides) {
      const int face = s.faces.incoming(zone, at);
      if (route_of(s, face).needs_no_slot()) continue;
      faces.push_back({zone, at, face, comes_from_host(s, face, now)});
    }
  }
  return faces;
}

batch_plan::outgoing batch_plan::leaving(const stepping& s, int face) const {
  return {face, route_of(s, face), s.faces.goes_directly(face, unit_.space),
          s.faces.goes_through_host(face, unit_.space)};
}

std::vector<batch_plan::outgoing> batch_plan::outgoing_of(const stepping& s) const {
  std::vector<outgoing> faces;
  for (const int zone : batch_) {
    for (const side at : all_sides) {
      const int face = face_of(zone, at);
      if (!route_of(s, face).needs_no_slot()) faces.push_back(leaving(s, face));
    }
  }
  return faces;
}

bool batch_plan::fits(const stepping& s, std::span<const yoke::task_id> batch, moment now,
                      long work_generation, bool of_share) const {
  if (laid_out_.parity() != now.parity() || of_share != of_share_) return false;
  if (!is_current(s, work_generation) || !std::ranges::equal(batch, batch_)) return false;
  return std::ranges::all_of(
      incoming_, [&](const incoming& in) { return in.from_host == comes_from_host(s, in.face, now); });
}

void batch_plan::lay_out(const stepping& s, std::span<const yoke::task_id> batch, moment now, std::byte* work,
                         long work_generation, std::span<const std::size_t> work_bytes, bool of_share) {
  begin(s, batch);
  batch_.assign(batch.begin(), batch.end());
  laid_out_ = now;
  of_share_ = of_share;
  fetched_ = {};
  incoming_ = incoming_of(s, now);
  outgoing_ = outgoing_of(s);
  const std::vector<face_job> in = lay_out_incoming(s, now);
  const std::vector<face_job> out = lay_out_outgoing(s, now.next());
  std::vector<face_job> both = in;
  both.insert(both.end(), out.begin(), out.end());
  upload_zones(s, batch_, work, work_bytes, of_share);
  const yoke::device_ptr<const face_job> jobs = upload_faces(both);
  unpack_ = make_face_table(jobs, in);
  pack_ = make_face_table(jobs + std::ssize(in), out);
  complete(s, work_generation);
}

std::vector<face_job> batch_plan::lay_out_incoming(const stepping& s, moment now) {
  std::vector<face_slot> from_host;
  for (const incoming& in : incoming_)
    if (in.from_host) from_host.push_back({s.faces.host_slot(in.face, now), s.faces.size(in.face)});
  const std::vector<double*> arrived = in_.lay_out(from_host, "the faces that arrive");
  auto next = arrived.begin();
  std::vector<face_job> jobs;
  for (const incoming& in : incoming_) {
    const plane to = outer_plane(s.zones.shape(in.zone), in.at);
    double* const source = in.from_host ? *next++ : s.faces.device_slot(unit_.space, in.face, now);
    jobs.push_back({packed_plane(to), to, on_device(source), s.zones.on_device(in.zone, unit_.space).u, {}});
  }
  return jobs;
}

std::vector<face_job> batch_plan::lay_out_outgoing(const stepping& s, moment next) {
  std::vector<face_slot> to_host, to_peers;
  for (const outgoing& out : outgoing_) {
    const std::size_t size = s.faces.size(out.face);
    const yoke::space_id to = out.route.to;
    if (out.goes_directly) to_peers.push_back({s.faces.device_slot(to, out.face, next), size, to});
    if (out.goes_through_host) to_host.push_back({s.faces.host_slot(out.face, next), size});
  }
  const std::vector<double*> leaving = out_.lay_out(to_host, "the faces that leave");
  const std::vector<double*> departing = to_peers_.lay_out(to_peers);
  auto place = leaving.begin(), peer_place = departing.begin();
  std::vector<face_job> jobs;
  for (const outgoing& out : outgoing_) {
    const int zone = zone_of_face(out.face);
    const plane from = inner_plane(s.zones.shape(zone), side_of_face(out.face));
    const bool stays = out.route.is_read_in(unit_.space);
    double* const slot = stays ? s.faces.device_slot(unit_.space, out.face, next) : nullptr;
    double* const packed = out.goes_directly ? *peer_place++ : out.goes_through_host ? *place++ : nullptr;
    jobs.push_back({from, packed_plane(from), s.zones.on_device(zone, unit_.space).u, on_device(slot),
                    on_device(packed)});
  }
  return jobs;
}

void batch_plan::enqueue_unpacking(yoke::stream_handle stream) const {
  launch_moves(*unit_.dev, stream, unpack_, "unpack faces");
}

void batch_plan::enqueue_packing(yoke::stream_handle stream) const {
  launch_moves(*unit_.dev, stream, pack_, "pack faces");
}

void batch_plan::note_departure(const stepping& s, moment next) const {
  for (const outgoing& out : outgoing_)
    if (out.goes_directly) s.faces.set_on_device(out.route.to, out.face, next);
}

void batch_plan::deliver(const stepping& s, moment next) const {
  out_.scatter();
  for (const outgoing& out : outgoing_) {
    if (out.route.is_read_in(unit_.space)) s.faces.set_on_device(unit_.space, out.face, next);
    if (out.goes_through_host) s.faces.set_on_host(out.face, next);
  }
}

}  // namespace npb
