#include "batch_parts.hpp"

#include <iterator>

namespace npb {

namespace {

/// Neighbours of a zone that are not of this unit.
std::vector<yoke::task_id> beyond(int zone, const face_store& faces, yoke::unit_id unit) {
  std::vector<yoke::task_id> others;
  for (const side at : all_sides) {
    const int face = face_of(zone, at);
    if (faces.reader(face) != unit) others.push_back(yoke::task_id{faces.receiver(face)});
  }
  return others;
}

}  // namespace

batch_parts split_batch(std::span<const yoke::task_id> batch, const face_store& faces, yoke::unit_id unit) {
  batch_parts parts;
  parts.batch.assign(batch.begin(), batch.end());
  parts.epoch = faces.epoch();
  parts.is_share = faces.has_plan() && faces.zones_of(unit) == std::ssize(batch);
  if (!parts.is_share) {
    parts.border = parts.batch;
    return parts;
  }
  for (const yoke::task_id zone : batch) {
    const std::vector<yoke::task_id> others = beyond(zone, faces, unit);
    (others.empty() ? parts.inner : parts.border).push_back(zone);
    parts.beyond.insert(parts.beyond.end(), others.begin(), others.end());
  }
  return parts;
}

}  // namespace npb
