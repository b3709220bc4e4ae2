#include "batch_parts.hpp"

namespace npb {

namespace {

/// Neighbours of a zone of a share that are not of it.
std::vector<yoke::task_id> beyond(int zone, const face_store& faces) {
  std::vector<yoke::task_id> others;
  for (const side at : all_sides) {
    const int face = face_of(zone, at);
    if (faces.route_of(face).by != way::sent) others.push_back(yoke::task_id{faces.receiver(face)});
  }
  return others;
}

}  // namespace

batch_parts split_batch(std::span<const yoke::task_id> batch, const face_store& faces, yoke::unit_id unit) {
  batch_parts parts;
  parts.batch.assign(batch.begin(), batch.end());
  parts.routes = faces.routes();
  parts.is_share = parts.routes->are_share(batch, unit);
  if (!parts.is_share) {
    parts.border = parts.batch;
    return parts;
  }
  for (const yoke::task_id zone : batch) {
    const std::vector<yoke::task_id> others = beyond(zone, faces);
    (others.empty() ? parts.inner : parts.border).push_back(zone);
    parts.beyond.insert(parts.beyond.end(), others.begin(), others.end());
  }
  return parts;
}

}  // namespace npb
