#pragma once
/// What hwloc knows, as parts of a machine.

#include <algorithm>
#include <hwloc.h>
#include <map>
#include <memory>
#include <vector>

#include <yoke/topology.hpp>

namespace yoke::detail {

struct destroy_topology {
  void operator()(hwloc_topology_t machine) const { hwloc_topology_destroy(machine); }
};
using topology_handle = std::unique_ptr<hwloc_topology, destroy_topology>;

/// Not loaded yet; without I/O devices.
topology_handle new_topology();
/// PUs in hwloc's order, which lists neighbours in caches and NUMA nodes one after the other.
std::vector<cpu_info> list_cpus(hwloc_topology_t machine);
/// GPUs and the like, where I/O devices were asked for; by bus address.
std::vector<accelerator_info> list_accelerators(hwloc_topology_t machine);
machine_parts list_parts(hwloc_topology_t machine);

}  // namespace yoke::detail
