#include <algorithm>
#include <fmt/format.h>
#include <hwloc.h>
#include <map>
#include <memory>

#include <yoke/affinity.hpp>
#include <yoke/error.hpp>
#include <yoke/topology.hpp>

namespace yoke {

namespace {

struct destroy_topology {
  void operator()(hwloc_topology_t machine) const { hwloc_topology_destroy(machine); }
};
using topology_handle = std::unique_ptr<hwloc_topology, destroy_topology>;

topology_handle new_topology() {
  hwloc_topology_t machine = nullptr;
  if (hwloc_topology_init(&machine) != 0) throw error{"hwloc_topology_init failed: no memory"};
  topology_handle handle{machine};
  // I/O discovery would start vendor libraries and take a hundred times as long.
  hwloc_topology_set_io_types_filter(machine, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(machine, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
  return handle;
}

int numa_node_of(hwloc_topology_t machine, unsigned cpu) {
  int nearest = 0;
  int width = -1;
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, node)) != nullptr;) {
    if (hwloc_bitmap_isset(node->cpuset, cpu) == 0) continue;
    const int cpus = hwloc_bitmap_weight(node->cpuset);
    if (width >= 0 && cpus >= width) continue;
    width = cpus;
    nearest = static_cast<int>(node->os_index);
  }
  return nearest;
}

/// PUs in hwloc's order, which lists neighbours in caches and NUMA nodes one after the other.
template <class Allows>
std::vector<cpu_info> list_cpus(hwloc_topology_t machine, const Allows& allows) {
  std::vector<cpu_info> cpus;
  std::map<int, int> threads_of_core;
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_PU, pu)) != nullptr;) {
    const int cpu = static_cast<int>(pu->os_index);
    if (!allows(cpu)) continue;
    const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(machine, HWLOC_OBJ_CORE, pu);
    const int number = static_cast<int>(core != nullptr ? core->logical_index : pu->logical_index);
    cpus.push_back({.cpu = cpu,
                    .core = number,
                    .numa_node = numa_node_of(machine, pu->os_index),
                    .smt_rank = threads_of_core[number]++});
  }
  return cpus;
}

std::vector<cpu_info> cpus_of_this_machine() {
  const std::vector<int> allowed = allowed_cpus_at_start();
  const topology_handle machine = new_topology();
  hwloc_topology_set_flags(machine.get(), HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
  std::vector<cpu_info> cpus;
  if (hwloc_topology_load(machine.get()) == 0) {
    cpus = list_cpus(machine.get(), [&](int cpu) { return std::ranges::binary_search(allowed, cpu); });
  }
  // hwloc knows nothing of these CPUs (no /sys, or HWLOC_ variables describe another machine).
  if (cpus.empty()) {
    for (const int cpu : allowed) cpus.push_back({.cpu = cpu, .core = cpu});
  }
  return cpus;
}

}  // namespace

topology topology::of_this_machine() {
  static const topology machine{cpus_of_this_machine()};
  return machine;
}

topology topology::synthetic(const std::string& description) {
  const topology_handle machine = new_topology();
  if (hwloc_topology_set_synthetic(machine.get(), description.c_str()) != 0 ||
      hwloc_topology_load(machine.get()) != 0) {
    throw config_error{
        fmt::format("\"{}\" is no hwloc synthetic description; one is \"numa:2 core:4 pu:2\"", description)};
  }
  return topology{list_cpus(machine.get(), [](int) { return true; })};
}

bool topology::allows(int cpu) const { return std::ranges::find(cpus_, cpu, &cpu_info::cpu) != cpus_.end(); }

std::vector<int> topology::usable_cpus(bool smt) const {
  std::vector<int> usable;
  for (const cpu_info& info : cpus_) {
    if (smt || info.smt_rank == 0) usable.push_back(info.cpu);
  }
  return usable;
}

}  // namespace yoke
