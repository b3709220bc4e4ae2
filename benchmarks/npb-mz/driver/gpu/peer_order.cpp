#include "peer_order.hpp"

#include <algorithm>

namespace npb {

peer_order::peer_order(device_work& work)
    : work_{work}, gone_{stream_mark{*work.unit.dev}, stream_mark{*work.unit.dev}} {}

bool peer_order::have_faces(std::span<const peer> peers, moment at) const {
  return std::ranges::all_of(peers, [&](const peer& other) {
    return work_.shared.departed.is_announced(other.unit, at) ||
           std::ranges::all_of(other.zones,
                               [&](int zone) { return work_.shared.order.is_published(zone, at.step); });
  });
}

void peer_order::hold_up(yoke::stream_handle stream, std::span<const peer> peers, moment at) const {
  const departures& departed = work_.shared.departed;
  for (const peer& other : peers)
    if (departed.is_announced(other.unit, at))
      work_.unit.dev->wait(stream, departed.event_of(other.unit, at));
}

void peer_order::announce(yoke::stream_handle stream, moment at) {
  stream_mark& mark = gone_[static_cast<std::size_t>(at.parity())];
  mark.set(stream);
  work_.shared.departed.announce(work_.unit.id, at, mark.event());
}

}  // namespace npb
