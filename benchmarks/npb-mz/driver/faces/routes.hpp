#pragma once
/// How each face gets from the zone that gives it to the zone that takes it.

#include <cstddef>
#include <span>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/links.hpp>
#include <yoke/schedule.hpp>

namespace npb {

enum class way {
  sent,      ///< between zones of one GPU CU: from field to field, by the solver's last kernel or a copy
  inside,    ///< within one memory space: a slot there
  direct,    ///< between two devices that reach each other: a slot on the one that takes it
  message,   ///< into another memory space: a slot in host memory, beside all others of the same two ends
  frozen,    ///< between two devices, where that is measured: nobody takes it
  anywhere,  ///< nobody knows who will take it: slots on the device that made it and in host memory
};

/// What becomes of faces between two devices: they go directly where that can be, all through host memory, or
/// nowhere, so that a step shows what it costs without them; its results are of no use.
enum class peer_faces { direct, host, frozen };

struct face_route {
  way by = way::anywhere;
  yoke::space_id to = yoke::host_space;  ///< the space that reads it; not for `anywhere`
  /// Of a message or a direct face, its ends; -1 for all CPU CUs together.
  yoke::unit_id giver{-1}, taker{-1};
  bool operator==(const face_route&) const = default;

  /// Whether it is, or may be, read in `space`.
  bool is_read_in(yoke::space_id space) const { return by == way::anywhere || to == space; }
  /// Whether it is, or may be, read in another one.
  bool is_read_outside(yoke::space_id space) const {
    return by == way::anywhere || (by != way::frozen && to != space);
  }
  /// Whether a plan of a GPU CU's share has nothing to do for it.
  bool needs_no_slot() const { return by == way::sent || by == way::frozen; }
  /// Whether it is one of many that travel together.
  bool is_in_message() const { return by == way::message || by == way::direct; }
};

/// The same face where the zones of its CU come in several batches: nothing is sent from one to another.
constexpr face_route between_batches(face_route of_share) {
  if (of_share.by == way::sent) of_share.by = way::inside;
  return of_share;
}

/// What there is between memories, and what is made of it.
struct face_paths {
  yoke::link_table links{};
  peer_faces between_devices = peer_faces::direct;
};

/// The routes of all faces, decided once for a map of zones on units. Who keeps an object for a map keeps the
/// table and compares its address.
///
/// A route tells where a face is read. Where it is made may differ from the map for one step: zones show
/// their first faces from where they are, and are migrated by the CU that gets them. So whoever makes a face
/// asks is_read_in, goes_directly and goes_through_host of its own space.
class face_routes {
 public:
  /// `takers`: the zone that takes each face (faces.hpp has their numbers). `map`: the unit of each zone;
  /// empty where nobody knows it.
  face_routes(std::span<const int> takers, std::span<const yoke::unit> units, std::vector<yoke::unit_id> map,
              face_paths by = {});

  const face_route& of(int face) const { return routes_[static_cast<std::size_t>(face)]; }
  /// Whether there is a map.
  bool are_known() const { return !map_.empty(); }
  /// Whether `zones` are all that the map gives to `unit`.
  bool are_share(std::span<const yoke::task_id> zones, yoke::unit_id unit) const;
  /// Whether a face that is made in `space` is read on another device, and goes there without the host.
  bool goes_directly(const face_route& route, yoke::space_id space) const;
  /// Whether it is, or may be, read in another space, and is in host memory before.
  bool goes_through_host(const face_route& route, yoke::space_id space) const {
    return route.is_read_outside(space) && !goes_directly(route, space);
  }

 private:
  face_route between(const yoke::unit& giver, const yoke::unit& taker, yoke::unit_id from,
                     yoke::unit_id to) const;
  face_route between_spaces(yoke::space_id from, face_route ends) const;

  std::vector<yoke::unit_id> map_;
  face_paths paths_;
  std::vector<face_route> routes_;
};

}  // namespace npb
