// Where the zones of a march are, and bringing them elsewhere.
#include "march.hpp"

#include <utility>

namespace npb {

std::vector<yoke::space_id> march::places() const {
  std::vector<yoke::space_id> spaces;
  for (int zone = 0; zone < zones_.n_zones(); ++zone) spaces.push_back(zones_.space_of(zone));
  return spaces;
}

/// To where `map` wants them, each when there is room for it. What is kept for batches of another map is
/// given back before.
void march::bring_one_by_one(const std::vector<yoke::unit_id>& map) {
  memory_.check(map);
  for (const auto& stepper : device_)
    if (stepper) stepper->give_back();
  std::vector<std::size_t> used(memory_.spaces().size());
  const auto in_use = [&](yoke::space_id space) -> std::size_t& {
    return used[static_cast<std::size_t>(space)];
  };
  std::vector<int> away;
  for (int zone = 0; zone < zones_.n_zones(); ++zone) {
    const yoke::space_id here = zones_.space_of(zone);
    in_use(here) += memory_.bytes(zone, here);
    if (here != rt_.units().at(map[static_cast<std::size_t>(zone)]).space) away.push_back(zone);
  }
  const auto move_if_it_fits = [&](int zone) {
    const yoke::space_id from = zones_.space_of(zone);
    const yoke::space_id to = rt_.units().at(map[static_cast<std::size_t>(zone)]).space;
    const std::size_t needed = in_use(to) + memory_.bytes(zone, to);
    if (needed > memory_.spaces()[static_cast<std::size_t>(to)].for_zones()) return false;
    zones_.bring(zone, to);
    in_use(from) -= memory_.bytes(zone, from);
    in_use(to) = needed;
    return true;
  };
  while (!away.empty())
    if (std::erase_if(away, move_if_it_fits) == 0) memory_.refuse();
}

bool march::place(yoke::task_loop& loop) {
  std::vector<yoke::unit_id> map = loop.prepare().map;
  bool all_are_there = true;
  for (int zone = 0; zone < std::ssize(map); ++zone)
    all_are_there =
        all_are_there && zones_.space_of(zone) == rt_.units().at(map[static_cast<std::size_t>(zone)]).space;
  if (all_are_there) return false;
  if (memory_.is_short())
    bring_one_by_one(map);
  else
    for_shares(map, [&](std::span<const yoke::task_id> share, const yoke::compute_unit& unit) {
      std::vector<yoke::task_id> moved;
      for (const yoke::task_id zone : share)
        if (zones_.bring_empty(zone, unit.space)) moved.push_back(zone);
      make_forcing(moved, unit);
    });
  plan_for(std::move(map));
  return true;
}

}  // namespace npb
