#include "placing.hpp"

#include "assigned_schedule.hpp"

#include <map>

namespace npb {

placing::placing(const yoke::runtime& rt, const zone_store& zones, std::span<const double> weights)
    : rt_{rt}, zones_{zones}, weights_{weights} {}

std::vector<yoke::unit_id> placing::all_units() const {
  std::vector<yoke::unit_id> units;
  for (const yoke::compute_unit& unit : rt_.units().all()) units.push_back(unit.id);
  return units;
}

std::vector<yoke::unit_id> placing::units_in(yoke::space_id space) const {
  std::vector<yoke::unit_id> units;
  for (const yoke::compute_unit& unit : rt_.units().all())
    if (unit.space == space) units.push_back(unit.id);
  return units;
}

std::vector<yoke::unit_id> placing::by_share() const {
  return units_in(yoke::host_space).empty() ? spread(weights_, all_units()) : std::vector<yoke::unit_id>{};
}

std::vector<yoke::unit_id> placing::by_place() const {
  std::map<yoke::space_id, std::vector<int>> zones;
  for (int zone = 0; zone < zones_.n_zones(); ++zone) zones[zones_.space_of(zone)].push_back(zone);
  std::vector<yoke::unit_id> map(weights_.size());
  for (const auto& [space, there] : zones) {
    const std::vector<yoke::unit_id> units = units_in(space);
    std::vector<double> weights;
    for (const int zone : there) weights.push_back(weights_[static_cast<std::size_t>(zone)]);
    const std::vector<yoke::unit_id> shares = spread(weights, units.empty() ? all_units() : units);
    for (std::size_t i = 0; i < there.size(); ++i) map[static_cast<std::size_t>(there[i])] = shares[i];
  }
  return map;
}

}  // namespace npb
