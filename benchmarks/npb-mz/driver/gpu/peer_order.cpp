#include "peer_order.hpp"

#include <algorithm>

namespace npb {

peer_order::peer_order(device_work& work)
    : work_{work}, gone_{stream_mark{*work.unit.dev}, stream_mark{*work.unit.dev}} {}

bool peer_order::have_faces(moment at) const {
  const publication& order = work_.shared.order;
  const auto is_published = [&](int zone) { return order.is_published(zone, at.step); };
  const auto has_left = [&](const peer& other) {
    return work_.shared.departed.is_announced(other.unit, at) ||
           std::ranges::all_of(other.zones, is_published);
  };
  return std::ranges::all_of(work_.parts.beyond, is_published) &&
         std::ranges::all_of(work_.parts.peers, has_left);
}

void peer_order::hold_up(yoke::stream_handle stream, moment at) const {
  const departures& departed = work_.shared.departed;
  for (const peer& other : work_.parts.peers)
    if (departed.is_announced(other.unit, at))
      work_.unit.dev->wait(stream, departed.event_of(other.unit, at));
}

void peer_order::announce(yoke::stream_handle stream, moment at) {
  if (work_.parts.peers.empty()) return;
  stream_mark& mark = gone_[static_cast<std::size_t>(at.parity())];
  mark.set(stream);
  work_.shared.departed.announce(work_.unit.id, at, mark.event());
}

}  // namespace npb
