#include "topology_hwloc.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <string_view>

namespace yoke::detail {

namespace {

using pci_attributes = hwloc_obj_attr_u::hwloc_pcidev_attr_s;

// Vendors and classes of the PCI bus.
constexpr unsigned nvidia = 0x10de;
constexpr unsigned amd = 0x1002;
constexpr unsigned xilinx = 0x10ee;
constexpr unsigned altera = 0x1172;
constexpr unsigned class_vga = 0x0300;
constexpr unsigned class_3d = 0x0302;
constexpr unsigned class_display = 0x0380;
constexpr unsigned class_accelerator = 0x1200;

bool is_accelerator(const pci_attributes& device) {
  const bool computes = device.class_id == class_3d || device.class_id == class_accelerator;
  const bool shows = device.class_id == class_vga || device.class_id == class_display;
  return computes || (shows && (device.vendor_id == nvidia || device.vendor_id == amd));
}

accelerator_kind kind_of(const pci_attributes& device) {
  switch (device.vendor_id) {
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

/// Memory in KiB, as hwloc's back ends of the vendors write it.
std::size_t memory_told(hwloc_obj_t device) {
  for (const char* name : {"CUDAGlobalMemorySize", "NVMLMemorySize", "RSMIVRAMSize"}) {
    const char* value = hwloc_obj_get_info_by_name(device, name);
    if (value == nullptr) continue;
    const std::string_view text{value};
    std::size_t kib = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), kib).ec == std::errc{}) return kib << 10;
  }
  return 0;
}

std::size_t memory_of(hwloc_obj_t device) {  // NOLINT(misc-no-recursion): as deep as hwloc's tree
  std::size_t most = memory_told(device);
  for (hwloc_obj_t child = device->io_first_child; child != nullptr; child = child->next_sibling)
    most = std::max(most, memory_of(child));
  return most;
}

std::string model_of(hwloc_obj_t device) {
  if (const char* name = hwloc_obj_get_info_by_name(device, "PCIDevice")) return name;
  return fmt::format("{:04x}:{:04x}", device->attr->pcidev.vendor_id, device->attr->pcidev.device_id);
}

accelerator_info describe(hwloc_topology_t machine, hwloc_obj_t device) {
  const pci_attributes& at = device->attr->pcidev;
  accelerator_info info{.kind = kind_of(at),
                        .pci = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", at.domain, at.bus, at.dev, at.func),
                        .model = model_of(device),
                        .memory = memory_of(device),
                        .link = at.linkspeed};
  // CPUs in the order of the others, which is hwloc's.
  const hwloc_obj_t beside = hwloc_get_non_io_ancestor_obj(machine, device);
  for (const cpu_info& each : list_cpus(machine)) {
    if (hwloc_bitmap_isset(beside->cpuset, static_cast<unsigned>(each.cpu)) != 0)
      info.near.push_back(each.cpu);
  }
  return info;
}

}  // namespace

std::vector<accelerator_info> list_accelerators(hwloc_topology_t machine) {
  std::vector<accelerator_info> all;
  for (hwloc_obj_t at = nullptr; (at = hwloc_get_next_pcidev(machine, at)) != nullptr;) {
    if (is_accelerator(at->attr->pcidev)) all.push_back(describe(machine, at));
  }
  std::ranges::sort(all, {}, &accelerator_info::pci);
  return all;
}

}  // namespace yoke::detail
