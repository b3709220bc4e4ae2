#include "batch_parts.hpp"

#include <algorithm>

namespace npb {

namespace {

void add(std::vector<peer>& peers, yoke::unit_id unit, yoke::task_id zone) {
  auto known = std::ranges::find(peers, unit, &peer::unit);
  if (known == peers.end()) known = peers.insert(known, {.unit = unit, .zones = {}});
  known->zones.push_back(zone);
}

/// Notes down the neighbours of a zone of a share that are not of it; whether there are some.
bool add_neighbours(int zone, const face_store& faces, batch_parts& parts) {
  bool has_others = false;
  for (const side at : all_sides) {
    const face_route& route = faces.route_of(face_of(zone, at));
    if (route.needs_no_slot()) continue;
    has_others = true;
    const yoke::task_id other{faces.receiver(face_of(zone, at))};
    if (route.by == way::direct)
      add(parts.peers, route.taker, other);
    else
      parts.beyond.push_back(other);
  }
  return has_others;
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
  for (const yoke::task_id zone : batch)
    (add_neighbours(zone, faces, parts) ? parts.border : parts.inner).push_back(zone);
  return parts;
}

}  // namespace npb
