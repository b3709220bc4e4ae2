#pragma once
/// What hwloc reads of a machine, in our own words; it is called in topology_hwloc.cpp alone.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <yoke/topology.hpp>

namespace yoke::detail {

/// What is plugged into the PCI bus.
struct pci_device {
  unsigned vendor = 0;
  unsigned device = 0;
  unsigned bus_class = 0;     ///< class and subclass, as 0x0302
  std::string address{};      ///< "0000:4b:00.0"
  std::string name{};         ///< empty where hwloc has none
  std::size_t memory = 0;     ///< bytes; 0 where hwloc has none
  double link = 0;            ///< GB/s; 0 where hwloc has none
  std::vector<int> beside{};  ///< CPUs
};

/// CPUs in hwloc's order, which lists neighbours in caches and NUMA nodes one after the other.
struct machine_read {
  std::vector<cpu_info> cpus{};
  std::vector<numa_node_info> numa_nodes{};
  std::vector<cache_info> caches{};
  std::vector<pci_device> bus{};  ///< where it was asked for
};

/// The machine of this process; of the bus what the kernel lists, with `bus`. Nothing where hwloc cannot read
/// it. Starts no driver, binds nothing.
std::optional<machine_read> read_this_machine(bool bus);
/// A synthetic description; nothing for what is none.
std::optional<machine_read> read_synthetic(const std::string& description);
/// A file of lstopo, with its bus; nothing for what is none.
std::optional<machine_read> read_xml(const std::string& file);
/// The same of what such a file holds.
std::optional<machine_read> read_xml_text(const std::string& text);

/// The GPUs and the like among what is plugged in, by bus address. Their CPUs are in the order of `of.cpus`.
std::vector<accelerator_info> accelerators_of(const machine_read& of);

}  // namespace yoke::detail
