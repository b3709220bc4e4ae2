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

face_route route_between(yoke::unit_id giver, yoke::unit_id taker, std::span<const yoke::unit> units) {
  const yoke::space_id from = units[static_cast<std::size_t>(giver)].space;
  const yoke::space_id to = units[static_cast<std::size_t>(taker)].space;
  if (from != to) return {way::message, to, end_of_message(giver, from), end_of_message(taker, to)};
  return {.by = giver == taker && to != yoke::host_space ? way::sent : way::inside, .to = to};
}

}  // namespace

face_routes::face_routes(std::span<const int> takers, std::span<const yoke::unit> units,
                         std::vector<yoke::unit_id> map)
    : map_{std::move(map)} {
  const auto unit_of = [&](int zone) { return map_[static_cast<std::size_t>(zone)]; };
  for (int face = 0; face < std::ssize(takers); ++face)
    routes_.push_back(are_known() ? route_between(unit_of(zone_of_face(face)),
                                                  unit_of(takers[static_cast<std::size_t>(face)]), units)
                                  : open_route(units));
}

bool face_routes::are_share(std::span<const yoke::task_id> zones, yoke::unit_id unit) const {
  const auto is_own = [&](yoke::task_id zone) { return map_[static_cast<std::size_t>(zone)] == unit; };
  return are_known() && std::ranges::count(map_, unit) == std::ssize(zones) &&
         std::ranges::all_of(zones, is_own);
}

}  // namespace npb
