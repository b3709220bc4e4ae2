#pragma once
/// How each face gets from the zone that gives it to the zone that takes it.

#include <cstddef>
#include <span>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/schedule.hpp>

namespace npb {

enum class way {
  sent,      ///< between zones of one GPU CU: from field to field, by the solver's last kernel or a copy
  inside,    ///< within one memory space: a slot there
  message,   ///< into another memory space: a slot in host memory, beside all others of the same two ends
  anywhere,  ///< nobody knows who will take it: slots on the device that made it and in host memory
};

struct face_route {
  way by = way::anywhere;
  yoke::space_id to = yoke::host_space;  ///< the space that reads it; not for `anywhere`
  yoke::unit_id giver{-1}, taker{-1};    ///< of a message, its ends; -1 for all CPU CUs together
  bool operator==(const face_route&) const = default;

  /// Whether it is, or may be, read in `space`.
  bool is_read_in(yoke::space_id space) const { return by == way::anywhere || to == space; }
  /// Whether it is, or may be, read in another one.
  bool is_read_outside(yoke::space_id space) const { return by == way::anywhere || to != space; }
};

/// The same face where the zones of its CU come in several batches: nothing is sent from one to another.
constexpr face_route between_batches(face_route of_share) {
  if (of_share.by == way::sent) of_share.by = way::inside;
  return of_share;
}

/// The routes of all faces, decided once for a map of zones on units. Who keeps an object for a map keeps the
/// table and compares its address.
///
/// A route tells where a face is read. Where it is made may differ from the map for one step: zones show
/// their first faces from where they are, and are migrated by the CU that gets them. So whoever makes a face
/// asks is_read_in and is_read_outside of its own space.
class face_routes {
 public:
  /// `takers`: the zone that takes each face (faces.hpp has their numbers). `map`: the unit of each zone;
  /// empty where nobody knows it.
  face_routes(std::span<const int> takers, std::span<const yoke::unit> units, std::vector<yoke::unit_id> map);

  const face_route& of(int face) const { return routes_[static_cast<std::size_t>(face)]; }
  /// Whether there is a map.
  bool are_known() const { return !map_.empty(); }
  /// Whether `zones` are all that the map gives to `unit`.
  bool are_share(std::span<const yoke::task_id> zones, yoke::unit_id unit) const;

 private:
  std::vector<yoke::unit_id> map_;
  std::vector<face_route> routes_;
};

}  // namespace npb
