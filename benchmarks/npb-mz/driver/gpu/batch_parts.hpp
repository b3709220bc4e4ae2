#pragma once
/// A batch of a GPU CU, cut in two where that lets the device work while faces travel.

#include "driver/faces/face_store.hpp"

#include <memory>
#include <span>
#include <vector>

namespace npb {

/// Another GPU CU whose device gives faces to this one's directly.
struct peer {
  yoke::unit_id unit;
  std::vector<yoke::task_id> zones;  ///< of it, whose faces the border needs
};

struct batch_parts {
  std::vector<yoke::task_id> batch;
  std::shared_ptr<const face_routes> routes;  ///< of the map
  bool is_share = false;                      ///< all zones of the CU in the map of the pass
  std::vector<yoke::task_id> inner;           ///< of a share: with all neighbours in this CU
  std::vector<yoke::task_id> border;          ///< all others
  /// Of a share: zones of other CUs whose faces the border needs and cannot have before a host has seen them.
  std::vector<yoke::task_id> beyond;
  std::vector<peer> peers;  ///< of a share: all others
};

batch_parts split_batch(std::span<const yoke::task_id> batch, const face_store& faces, yoke::unit_id unit);

}  // namespace npb
