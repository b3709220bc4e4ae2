#include "placing.hpp"

#include "assigned_schedule.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include <yoke/error.hpp>

namespace npb {

placing::placing(const yoke::runtime& rt, const benchmark& what, const zone_store& zones,
                 std::span<const double> weights)
    : rt_{rt}, what_{what}, zones_{zones}, weights_{weights} {}

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

/// By space.
std::vector<placing::demand> placing::demands_of(const std::vector<yoke::unit_id>& map) const {
  const std::unique_ptr<device_solver> solver = what_.make_device_solver();
  std::vector<demand> demands(rt_.devices().size() + 1);
  for (int zone = 0; zone < zones_.n_zones(); ++zone) {
    const yoke::space_id space = rt_.units().at(map[static_cast<std::size_t>(zone)]).space;
    demand& of = demands[static_cast<std::size_t>(space)];
    of.bytes += zones_.bytes(zone) + solver->scratch_bytes(zones_.shape(zone));
    ++of.zones;
  }
  return demands;
}

void placing::check_room(const std::vector<yoke::unit_id>& map) const {
  const std::vector<demand> demands = demands_of(map);
  for (std::size_t i = 0; i < rt_.devices().size(); ++i) {
    const yoke::device& dev = *rt_.devices()[i];
    const demand& wanted = demands[i + 1];
    const std::size_t free = dev.memory_free();
    if (wanted.bytes <= free) continue;
    throw yoke::out_of_memory{
        fmt::format(
            "{}: the schedule gives it {} zones that need {} bytes together, and {} of its {} bytes are "
            "free; give the device fewer zones, as with --schedule pool,pcf=…, or use more devices",
            dev.info().name, wanted.zones, wanted.bytes, free, dev.info().memory),
        wanted.bytes, free};
  }
}

std::vector<yoke::unit_id> placing::first_places(const std::vector<yoke::unit_id>& first) const {
  if (!first.empty()) {
    check_room(first);
    return first;
  }
  if (!units_in(yoke::host_space).empty()) return {};
  std::vector<yoke::unit_id> even = spread(weights_, all_units());
  try {
    check_room(even);
  } catch (const yoke::out_of_memory&) {
    even.clear();
  }
  return even;
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
