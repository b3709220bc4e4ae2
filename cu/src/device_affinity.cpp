#include <algorithm>
#include <optional>
#include <string>

#include <yoke/backends.hpp>
#include <yoke/device_affinity.hpp>
#include <yoke/settings.hpp>

namespace yoke {

namespace {

/// "2,0" as numbers; nothing where one is a name.
std::optional<std::vector<std::size_t>> numbers(const std::string& text) {
  std::vector<std::size_t> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string item = text.substr(at, end - at);
    if (item.empty() || item.size() > 6 || item.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    all.push_back(std::stoul(item));
    at = end + 1;
  }
  return all;
}

/// Those of `from` that the variable names, in its order; `from` where it is not set. Drivers stop at the
/// first number that they do not have.
std::vector<std::size_t> chosen(const char* variable, const std::vector<std::size_t>& from) {
  const std::optional<std::string> text = detail::get_environment(variable);
  if (!text) return from;
  const auto positions = numbers(*text);
  std::vector<std::size_t> all;
  if (!positions) return all;
  for (const std::size_t each : *positions) {
    if (each >= from.size()) break;
    all.push_back(from[each]);
  }
  return all;
}

/// Whether CUDA numbers these as the bus does: it puts the fastest first otherwise.
bool are_in_bus_order(const std::vector<std::size_t>& positions, const topology& machine) {
  if (detail::get_environment("CUDA_DEVICE_ORDER") == "PCI_BUS_ID") return true;
  const auto& all = machine.accelerators();
  return std::ranges::all_of(positions,
                             [&](std::size_t each) { return all[each].model == all[positions[0]].model; });
}

std::optional<accelerator_kind> kind_of(const device_request& device) {
  if (device.of->name == "cuda") return accelerator_kind::cuda;
  if (device.of->name == "hip") return accelerator_kind::hip;
  return std::nullopt;
}

}  // namespace

std::vector<std::size_t> devices_in_order(accelerator_kind kind, const topology& machine) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < machine.accelerators().size(); ++i) {
    if (machine.accelerators()[i].kind == kind) all.push_back(i);
  }
  if (kind == accelerator_kind::hip)
    return chosen("HIP_VISIBLE_DEVICES", chosen("ROCR_VISIBLE_DEVICES", all));
  if (kind == accelerator_kind::cuda && !are_in_bus_order(all, machine)) return {};
  return chosen("CUDA_VISIBLE_DEVICES", all);
}

std::vector<std::vector<int>> cpus_near(std::span<const device_request> devices, const topology& machine) {
  std::vector<std::vector<int>> near(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::optional<accelerator_kind> kind = kind_of(devices[i]);
    if (!kind) continue;
    const std::vector<std::size_t> order = devices_in_order(*kind, machine);
    const auto index = static_cast<std::size_t>(devices[i].index);
    if (index < order.size()) near[i] = machine.accelerators()[order[index]].near;
  }
  return near;
}

}  // namespace yoke
