#include "batch_plan.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace npb {

namespace {

/// More pieces than this are copied into one message first; where the map is known there is one for each
/// space.
constexpr std::size_t most_messages = 4;

yoke::device_ptr<double> on_device(double* address) { return yoke::device_ptr<double>{address}; }

}  // namespace

batch_plan::batch_plan(const yoke::compute_unit& unit)
    : device_plan{unit},
      inbox_{*unit.dev, device_buffer::kind::device},
      staging_{*unit.dev, device_buffer::kind::pinned},
      outbox_{*unit.dev, device_buffer::kind::device},
      mirror_{*unit.dev, device_buffer::kind::pinned} {}

/// Where an incoming face is: null in this space, else its address in host memory.
const double* batch_plan::source_of(const stepping& s, int face, int step) const {
  return s.faces.is_on_device(unit_.space, face, step) ? nullptr : s.faces.on_host(face, step);
}

bool batch_plan::is_copied(const stepping& s, int face) const {
  return own_are_copied_ && s.faces.stays_with(face, unit_.id);
}

std::vector<batch_plan::incoming> batch_plan::incoming_of(const stepping& s, int step) const {
  std::vector<incoming> faces;
  for (const int zone : batch_) {
    for (const side at : all_sides) {
      const int face = s.faces.incoming(zone, at);
      if (!is_copied(s, face))
        faces.push_back({zone, at, face, source_of(s, face, step), s.faces.size(face)});
    }
  }
  return faces;
}

bool batch_plan::fits(const stepping& s, std::span<const yoke::task_id> batch, int step, long work_generation,
                      bool own_are_copied) const {
  if (parity_ != (step & 1) || own_are_copied != own_are_copied_) return false;
  if (!is_current(s, work_generation) || !std::ranges::equal(batch, batch_)) return false;
  return std::ranges::all_of(incoming_,
                             [&](const incoming& in) { return in.source == source_of(s, in.face, step); });
}

bool batch_plan::is_free(const stepping& s) const { return !keep_mirror_ || epoch() != s.faces.epoch(); }

void batch_plan::lay_out(const stepping& s, std::span<const yoke::task_id> batch, int step, std::byte* work,
                         long work_generation, std::span<const std::size_t> work_bytes, bool keep_mirror,
                         bool own_are_copied) {
  begin(s, batch);
  batch_.assign(batch.begin(), batch.end());
  parity_ = step & 1;
  keep_mirror_ = keep_mirror;
  own_are_copied_ = own_are_copied;
  fetched_step_ = -1;
  incoming_ = incoming_of(s, step);
  const std::vector<face_job> in = lay_out_incoming(s, step);
  const std::vector<face_job> out = lay_out_outgoing(s, step + 1);
  std::vector<face_job> both = in;
  both.insert(both.end(), out.begin(), out.end());
  upload_zones(s, batch_, work, work_bytes, own_are_copied);
  const yoke::device_ptr<const face_job> jobs = upload_faces(both);
  unpack_ = make_face_table(jobs, in);
  pack_ = make_face_table(jobs + std::ssize(in), out);
  complete(s, work_generation);
}

std::vector<face_job> batch_plan::lay_out_incoming(const stepping& s, int step) {
  std::vector<face_job> jobs;
  std::vector<std::size_t> remote;
  for (const incoming& in : incoming_) {
    if (in.source != nullptr) remote.push_back(jobs.size());
    const plane to = outer_plane(s.zones.shape(in.zone), in.at);
    jobs.push_back({packed_plane(to),
                    to,
                    on_device(s.faces.device_slot(unit_.space, in.face, step)),
                    s.zones.on_device(in.zone, unit_.space).u,
                    {}});
  }
  // By address, so that what lies side by side in host memory is one message.
  std::sort(remote.begin(), remote.end(), [&](std::size_t a, std::size_t b) {
    return std::less<>{}(incoming_[a].source, incoming_[b].source);
  });
  bytes_in_ = 0;
  for (const std::size_t i : remote) bytes_in_ += incoming_[i].size * sizeof(double);
  inbox_.reserve(bytes_in_, "the faces that arrive");
  auto* next = reinterpret_cast<double*>(inbox_.data());
  for (const std::size_t i : remote) {
    jobs[i].source = on_device(next);
    next += incoming_[i].size;
  }
  messages_ = messages_from(remote);
  return jobs;
}

std::vector<batch_plan::message> batch_plan::messages_from(std::vector<std::size_t> remote) {
  std::vector<message> pieces;
  auto* next = reinterpret_cast<double*>(inbox_.data());
  for (const std::size_t i : remote) {
    const std::size_t bytes = incoming_[i].size * sizeof(double);
    const bool continues =
        !pieces.empty() && pieces.back().from + pieces.back().bytes / sizeof(double) == incoming_[i].source;
    if (continues)
      pieces.back().bytes += bytes;
    else
      pieces.push_back({incoming_[i].source, next, bytes});
    next += incoming_[i].size;
  }
  gathered_.clear();
  if (pieces.size() <= most_messages) return pieces;
  staging_.reserve(bytes_in_, "the message of arriving faces");
  auto* staging = reinterpret_cast<double*>(staging_.data());
  auto* inbox = reinterpret_cast<double*>(inbox_.data());
  for (const message& piece : pieces)
    gathered_.push_back({piece.from, staging + (piece.to - inbox), piece.bytes});
  return {{staging, inbox, bytes_in_}};
}

std::vector<face_job> batch_plan::lay_out_outgoing(const stepping& s, int step) {
  outgoing_.clear();
  for (const int zone : batch_) {
    for (const side at : all_sides) {
      const int face = face_of(zone, at);
      if (is_copied(s, face)) continue;
      const bool outside = s.faces.is_needed_outside(face, unit_.space);
      outgoing_.push_back({face, !s.faces.has_plan() || !outside, outside ? 0 : -1});
    }
  }
  // By reader, so that what one GPU CU reads lies side by side in the message to the host.
  std::sort(outgoing_.begin(), outgoing_.end(), [&](const outgoing& a, const outgoing& b) {
    const auto key = [&](const outgoing& o) { return std::pair{s.faces.reader(o.face), o.face}; };
    return key(a) < key(b);
  });
  std::ptrdiff_t next = 0;
  for (outgoing& out : outgoing_) {
    if (out.offset < 0) continue;
    out.offset = next;
    next += static_cast<std::ptrdiff_t>(s.faces.size(out.face));
  }
  bytes_out_ = static_cast<std::size_t>(next) * sizeof(double);
  outbox_.reserve(bytes_out_, "the faces that leave");
  mirror_.reserve(bytes_out_, "the message of leaving faces");
  auto* outbox = reinterpret_cast<double*>(outbox_.data());
  std::vector<face_job> jobs;
  for (const outgoing& out : outgoing_) {
    const int zone = zone_of_face(out.face);
    const plane from = inner_plane(s.zones.shape(zone), side_of_face(out.face));
    double* slot = out.inside ? s.faces.device_slot(unit_.space, out.face, step) : nullptr;
    jobs.push_back({from, packed_plane(from), s.zones.on_device(zone, unit_.space).u, on_device(slot),
                    on_device(out.offset >= 0 ? outbox + out.offset : nullptr)});
  }
  return jobs;
}

void batch_plan::gather() const {
  for (const message& piece : gathered_) std::memcpy(piece.to, piece.from, piece.bytes);
}

void batch_plan::set_fetched(const stepping& s, int step) {
  fetched_generation_ = s.faces.generation();
  fetched_step_ = step;
}

bool batch_plan::is_fetched(const stepping& s, int step) const {
  return fetched_generation_ == s.faces.generation() && fetched_step_ == step;
}

void batch_plan::enqueue_messages_in(yoke::stream_handle stream) const {
  for (const message& m : messages_)
    unit_.dev->copy(stream, m.to, m.from, m.bytes, yoke::copy_kind::host_to_device);
}

void batch_plan::enqueue_unpacking(yoke::stream_handle stream) const {
  launch_moves(*unit_.dev, stream, unpack_, "unpack faces");
}

void batch_plan::enqueue_packing(yoke::stream_handle stream) const {
  launch_moves(*unit_.dev, stream, pack_, "pack faces");
}

void batch_plan::enqueue_message_out(yoke::stream_handle stream) const {
  unit_.dev->copy(stream, mirror_.data(), outbox_.data(), bytes_out_, yoke::copy_kind::device_to_host);
}

void batch_plan::deliver(const stepping& s, int step) const {
  const auto* mirror = reinterpret_cast<const double*>(mirror_.data());
  for (const outgoing& out : outgoing_) {
    if (out.inside) s.faces.set_on_device(unit_.space, out.face, step);
    if (out.offset < 0) continue;
    const double* there = mirror + out.offset;
    if (!keep_mirror_) {
      double* slot = s.faces.host_slot(out.face, step);
      std::memcpy(slot, there, s.faces.size(out.face) * sizeof(double));
      there = slot;
    }
    s.faces.set_on_host(out.face, step, there);
  }
}

}  // namespace npb
