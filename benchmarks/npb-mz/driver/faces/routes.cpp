#include "routes.hpp"

#include "faces.hpp"

#include <algorithm>
#include <utility>

namespace npb {

namespace {

/// Where there is no map. Units that are all in one space leave no choice.
face_route open_route(std::span<const yoke::unit> units) {
  const yoke::space_id space = units.front().space;
  const bool in_one_space = std::ranges::all_of(units, [&](const yoke::unit& u) { return u.space == space; });
  return in_one_space ? face_route{.by = way::inside, .to = space} : face_route{};
}

yoke::unit_id end_of_message(yoke::unit_id unit, yoke::space_id space) {
  return space == yoke::host_space ? yoke::unit_id{-1} : unit;
}

}  // namespace

/// Of two spaces.
face_route face_routes::between_spaces(yoke::space_id from, face_route ends) const {
  const bool are_devices = from != yoke::host_space && ends.to != yoke::host_space;
  if (are_devices && paths_.between_devices == peer_faces::frozen) return {.by = way::frozen, .to = ends.to};
  ends.by = way::direct;
  if (!goes_directly(ends, from)) ends.by = way::message;
  return ends;
}

face_route face_routes::between(const yoke::unit& giver, const yoke::unit& taker, yoke::unit_id from,
                                yoke::unit_id to) const {
  if (giver.space != taker.space)
    return between_spaces(giver.space, {.to = taker.space,
                                        .giver = end_of_message(from, giver.space),
                                        .taker = end_of_message(to, taker.space)});
  return {.by = from == to && taker.space != yoke::host_space ? way::sent : way::inside, .to = taker.space};
}

face_routes::face_routes(std::span<const int> takers, std::span<const yoke::unit> units,
                         std::vector<yoke::unit_id> map, face_paths by)
    : map_{std::move(map)}, paths_{std::move(by)} {
  const auto unit_of = [&](int zone) { return map_[static_cast<std::size_t>(zone)]; };
  const auto at = [&](yoke::unit_id unit) -> const yoke::unit& {
    return units[static_cast<std::size_t>(unit)];
  };
  for (int face = 0; face < std::ssize(takers); ++face) {
    if (!are_known()) {
      routes_.push_back(open_route(units));
      continue;
    }
    const yoke::unit_id from = unit_of(zone_of_face(face)),
                        to = unit_of(takers[static_cast<std::size_t>(face)]);
    routes_.push_back(between(at(from), at(to), from, to));
  }
}

bool face_routes::goes_directly(const face_route& route, yoke::space_id space) const {
  if (route.by == way::anywhere || route.by == way::frozen) return false;
  return paths_.between_devices == peer_faces::direct && paths_.links.is_direct(space, route.to);
}

bool face_routes::are_share(std::span<const yoke::task_id> zones, yoke::unit_id unit) const {
  const auto is_own = [&](yoke::task_id zone) { return map_[static_cast<std::size_t>(zone)] == unit; };
  return are_known() && std::ranges::count(map_, unit) == std::ssize(zones) &&
         std::ranges::all_of(zones, is_own);
}

}  // namespace npb
