#include "topology_hwloc.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace yoke::detail {

namespace {

// Vendors and classes of the PCI bus.
constexpr unsigned nvidia = 0x10de;
constexpr unsigned amd = 0x1002;
constexpr unsigned xilinx = 0x10ee;
constexpr unsigned altera = 0x1172;
constexpr unsigned class_vga = 0x0300;
constexpr unsigned class_3d = 0x0302;
constexpr unsigned class_display = 0x0380;
constexpr unsigned class_accelerator = 0x1200;

bool is_accelerator(const pci_device& device) {
  const bool computes = device.bus_class == class_3d || device.bus_class == class_accelerator;
  const bool shows = device.bus_class == class_vga || device.bus_class == class_display;
  return computes || (shows && (device.vendor == nvidia || device.vendor == amd));
}

accelerator_kind kind_of(const pci_device& device) {
  switch (device.vendor) {
    case nvidia:
      return accelerator_kind::cuda;
    case amd:
      return accelerator_kind::hip;
    case xilinx:
    case altera:
      return accelerator_kind::fpga;
    default:
      return accelerator_kind::other;
  }
}

accelerator_info describe(const pci_device& device, const std::vector<cpu_info>& cpus) {
  accelerator_info info{.kind = kind_of(device),
                        .pci = device.address,
                        .model = device.name,
                        .memory = device.memory,
                        .link = device.link};
  if (info.model.empty()) info.model = fmt::format("{:04x}:{:04x}", device.vendor, device.device);
  for (const cpu_info& each : cpus)
    if (std::ranges::find(device.beside, each.cpu) != device.beside.end()) info.near.push_back(each.cpu);
  return info;
}

}  // namespace

std::vector<accelerator_info> accelerators_of(const machine_read& of) {
  std::vector<accelerator_info> all;
  for (const pci_device& each : of.bus)
    if (is_accelerator(each)) all.push_back(describe(each, of.cpus));
  std::ranges::sort(all, {}, &accelerator_info::pci);
  return all;
}

}  // namespace yoke::detail
