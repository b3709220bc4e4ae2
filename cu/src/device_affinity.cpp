#include <algorithm>

#include <yoke/backends.hpp>
#include <yoke/device_affinity.hpp>
#include <yoke/settings.hpp>

namespace yoke {

namespace {

/// Whether the driver numbers these as the bus does.
bool are_in_bus_order(const driver_numbering& by, const std::vector<std::size_t>& positions,
                      const topology& machine) {
  if (by.by_bus_name == nullptr || detail::get_environment(by.by_bus_name) == by.by_bus_value) return true;
  const auto& all = machine.accelerators();
  return std::ranges::all_of(positions,
                             [&](std::size_t each) { return all[each].model == all[positions[0]].model; });
}

std::vector<std::size_t> devices_in_order(const driver_numbering& by, const topology& machine) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < machine.accelerators().size(); ++i) {
    if (machine.accelerators()[i].kind == by.kind) all.push_back(i);
  }
  if (!are_in_bus_order(by, all, machine)) return {};
  std::vector<std::size_t> seen = visible_positions(by, all.size());
  for (std::size_t& each : seen) each = all[each];
  return seen;
}

}  // namespace

std::vector<std::size_t> devices_in_order(accelerator_kind kind, const topology& machine) {
  for (const backend& each : all_backends())
    if (each.numbering && each.numbering->kind == kind) return devices_in_order(*each.numbering, machine);
  return {};
}

std::vector<std::vector<int>> cpus_near(std::span<const device_request> devices, const topology& machine) {
  std::vector<std::vector<int>> near(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto& by = devices[i].of->numbering;
    if (!by) continue;
    const std::vector<std::size_t> order = devices_in_order(*by, machine);
    const auto index = static_cast<std::size_t>(devices[i].index);
    if (index < order.size()) near[i] = machine.accelerators()[order[index]].near;
  }
  return near;
}

}  // namespace yoke
