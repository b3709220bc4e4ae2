#include "device_setup.hpp"

#include <algorithm>
#include <cstdint>

namespace npb {

namespace {

template <class Body>
void each_face(std::span<const yoke::task_id> zones, const Body& body) {
  for (const int zone : zones)
    for (const side at : all_sides) body(face_of(zone, at));
}

}  // namespace

device_setup::device_setup(const stepping& shared, const yoke::compute_unit& unit, std::size_t most_sums)
    : shared_{shared},
      unit_{unit},
      kind_{shared.what.what().kind},
      c_{shared.what.coefficients()},
      solver_{shared.what.make_device_solver()},
      zones_{*unit.dev},
      faces_{*unit.dev},
      sums_{*unit.dev, device_buffer::kind::device},
      sums_on_host_{*unit.dev, device_buffer::kind::pinned} {
  shared_.faces.use_device(unit.space);
  // Now, so that what does not fit is known before a step has run.
  const std::size_t bytes = size_of_sums(most_sums) * sizeof(double);
  sums_.reserve(bytes, "the sums of the norms");
  sums_on_host_.reserve(bytes, "the sums of the norms, in pinned memory");
}

std::size_t device_setup::size_of_sums(std::size_t most) const {
  std::size_t total = 0, largest = 0;
  for (int zone = 0; zone < shared_.zones.n_zones(); ++zone) {
    const auto size = static_cast<std::size_t>(rows_of(zone).size());
    total += size;
    largest = std::max(largest, size);
  }
  return std::max(largest, std::min(total, most));
}

/// How many of the first zones have their sums in sums_ together.
std::size_t device_setup::how_many_fit(std::span<const yoke::task_id> zones) const {
  const std::size_t most = sums_.size() / sizeof(double);
  std::size_t used = 0, n = 0;
  for (; n < zones.size(); ++n) {
    used += static_cast<std::size_t>(rows_of(zones[n]).size());
    if (used > most) break;
  }
  return n;
}

/// The zones as kernels read them. Their work memory is sums_; each has a part of its own for `sums`.
zones_on_device device_setup::lay_out(std::span<const yoke::task_id> zones, size_of_rows sums) {
  std::vector<device_zone> table;
  shapes_.clear();
  yoke::device_ptr<double> work{reinterpret_cast<double*>(sums_.data())};
  for (const int zone : zones) {
    table.push_back(shared_.zones.on_device(zone, unit_.space));
    table.back().work = work;
    shapes_.push_back(shared_.zones.shape(zone));
    if (sums != nullptr) work = work + (rows_of(zone).*sums)();
  }
  return {*unit_.dev, unit_.stream, zones_.upload(unit_.stream, table), shapes_};
}

void device_setup::make_forcing(std::span<const yoke::task_id> zones) {
  launch_forcing(lay_out(zones), kind_, c_);
  unit_.dev->synchronize(unit_.stream);
}

void device_setup::initialize(std::span<const yoke::task_id> zones) {
  const zones_on_device there = lay_out(zones);
  launch_initial_state(there, kind_, c_);
  solver_->make_residual(there);
  unit_.dev->synchronize(unit_.stream);
}

void device_setup::send_faces(std::span<const yoke::task_id> zones, moment now) {
  face_store& faces = shared_.faces;
  std::vector<face_job> jobs;
  for (const int zone : zones) {
    for (const side at : all_sides) {
      const plane from = inner_plane(shared_.zones.shape(zone), at);
      jobs.push_back({from,
                      packed_plane(from),
                      shared_.zones.on_device(zone, unit_.space).u,
                      {},
                      yoke::device_ptr<double>{faces.device_slot(unit_.space, face_of(zone, at), now)}});
    }
  }
  launch_moves(*unit_.dev, unit_.stream, make_face_table(faces_.upload(unit_.stream, jobs), jobs),
               "pack faces");
  copy_out(zones, now);
  unit_.dev->synchronize(unit_.stream);
  note_sent(zones, now);
}

void device_setup::copy_out(std::span<const yoke::task_id> zones, moment now) {
  face_store& faces = shared_.faces;
  each_face(zones, [&](int face) {
    const double* const from = faces.device_slot(unit_.space, face, now);
    const std::size_t bytes = faces.size(face) * sizeof(double);
    if (faces.goes_directly(face, unit_.space))
      unit_.dev->copy(unit_.stream, faces.device_slot(faces.route_of(face).to, face, now), from, bytes,
                      yoke::copy_kind::device_to_device);
    if (faces.goes_through_host(face, unit_.space))
      unit_.dev->copy(unit_.stream, faces.host_slot(face, now), from, bytes, yoke::copy_kind::device_to_host);
  });
}

void device_setup::note_sent(std::span<const yoke::task_id> zones, moment now) {
  face_store& faces = shared_.faces;
  each_face(zones, [&](int face) {
    const bool has_left = faces.goes_directly(face, unit_.space);
    faces.set_on_device(has_left ? faces.route_of(face).to : unit_.space, face, now);
    if (faces.goes_through_host(face, unit_.space)) faces.set_on_host(face, now);
  });
}

void device_setup::norms(std::span<const yoke::task_id> zones, std::span<zone_norms> norms) {
  sum_rows(zones, {launch_norm_rows, &norm_rows::size},
           [&](int zone, const norm_rows& rows, const double* sums) {
             norms[static_cast<std::size_t>(zone)] = norms_of_sums(c_, rows, sums);
           });
}

void device_setup::residual_norms(std::span<const yoke::task_id> zones, std::span<zone_norms> norms) {
  sum_rows(zones, {launch_xcr_rows, &norm_rows::xce_at},
           [&](int zone, const norm_rows& rows, const double* sums) {
             norms[static_cast<std::size_t>(zone)].xcr = xcr_of_sums(rows, sums);
           });
}

void device_setup::sum_rows(std::span<const yoke::task_id> zones, const row_sums& what,
                            const take_sums& take) {
  while (!zones.empty()) {
    const std::size_t n = how_many_fit(zones);
    sum_rows_of_group(zones.first(n), what, take);
    zones = zones.subspan(n);
  }
}

void device_setup::sum_rows_of_group(std::span<const yoke::task_id> zones, const row_sums& what,
                                     const take_sums& take) {
  what.launch(lay_out(zones, what.size), kind_, c_);
  std::int64_t used = 0;
  for (const int zone : zones) used += (rows_of(zone).*what.size)();
  unit_.dev->copy(unit_.stream, sums_on_host_.data(), sums_.data(),
                  static_cast<std::size_t>(used) * sizeof(double), yoke::copy_kind::device_to_host);
  unit_.dev->synchronize(unit_.stream);
  const auto* sums = reinterpret_cast<const double*>(sums_on_host_.data());
  for (const int zone : zones) {
    const norm_rows rows = rows_of(zone);
    take(zone, rows, sums);
    sums += (rows.*what.size)();
  }
}

}  // namespace npb
