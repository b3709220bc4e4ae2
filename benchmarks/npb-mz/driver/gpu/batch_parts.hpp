#pragma once
/// A batch of a GPU CU, cut by who has to see the faces of its zones: so the device works while they travel.

#include "driver/faces/face_store.hpp"
#include "driver/step/exchange_mode.hpp"

#include <memory>
#include <span>
#include <vector>

namespace npb {

/// Another GPU CU whose device gives faces to this one's directly.
struct peer {
  yoke::unit_id unit;
  std::vector<yoke::task_id> zones;  ///< of it, whose faces are needed
};

/// Zones, and the peers that have neighbours of them.
struct zone_group {
  std::vector<yoke::task_id> zones;
  std::vector<peer> peers;
};

struct batch_parts {
  std::vector<yoke::task_id> batch;
  std::shared_ptr<const face_routes> routes;  ///< of the map
  bool is_share = false;                      ///< all zones of the CU in the map of the pass
  /// Of a share: zones of which no host has to see a face, those of the seam first.
  std::vector<yoke::task_id> hostless;
  zone_group seam;    ///< of these the ones with neighbours on other devices, which give faces directly
  zone_group border;  ///< all others: a host has to see some face, or order their steps
  /// Of a share: zones of other CUs whose faces the border needs and cannot have before a host has seen them.
  std::vector<yoke::task_id> beyond;

  /// Of the hostless ones: with all neighbours in this CU.
  bool has_inner() const { return hostless.size() > seam.zones.size(); }
  bool has_peers() const { return !seam.peers.empty() || !border.peers.empty(); }
};

/// `how`: with a barrier between steps hosts order the seam's, too.
batch_parts split_batch(std::span<const yoke::task_id> batch, const face_store& faces, yoke::unit_id unit,
                        exchange_mode how);

}  // namespace npb
