#include "batch_parts.hpp"

#include <algorithm>

namespace npb {

namespace {

/// Neighbours of a zone of a share that are not of it.
struct neighbours {
  std::vector<std::pair<yoke::unit_id, yoke::task_id>> direct;
  std::vector<yoke::task_id> beyond;

  bool empty() const { return direct.empty() && beyond.empty(); }
};

neighbours neighbours_of(int zone, const face_store& faces) {
  neighbours found;
  for (const side at : all_sides) {
    const face_route& route = faces.route_of(face_of(zone, at));
    if (route.needs_no_slot()) continue;
    const yoke::task_id other{faces.receiver(face_of(zone, at))};
    if (route.by == way::direct)
      found.direct.emplace_back(route.taker, other);
    else
      found.beyond.push_back(other);
  }
  return found;
}

void add(zone_group& to, yoke::task_id zone, const neighbours& of) {
  to.zones.push_back(zone);
  for (const auto& [unit, other] : of.direct) {
    auto known = std::ranges::find(to.peers, unit, &peer::unit);
    if (known == to.peers.end()) known = to.peers.insert(known, {.unit = unit, .zones = {}});
    known->zones.push_back(other);
  }
}

}  // namespace

batch_parts split_batch(std::span<const yoke::task_id> batch, const face_store& faces, yoke::unit_id unit,
                        exchange_mode how) {
  batch_parts parts;
  parts.batch.assign(batch.begin(), batch.end());
  parts.routes = faces.routes();
  parts.is_share = parts.routes->are_share(batch, unit);
  if (!parts.is_share) {
    parts.border.zones = parts.batch;
    return parts;
  }
  std::vector<yoke::task_id> inner;
  for (const yoke::task_id zone : batch) {
    const neighbours of = neighbours_of(zone, faces);
    parts.beyond.insert(parts.beyond.end(), of.beyond.begin(), of.beyond.end());
    if (of.empty())
      inner.push_back(zone);
    else
      add(of.beyond.empty() && how == exchange_mode::dataflow ? parts.seam : parts.border, zone, of);
  }
  parts.hostless = parts.seam.zones;
  parts.hostless.insert(parts.hostless.end(), inner.begin(), inner.end());
  return parts;
}

}  // namespace npb
