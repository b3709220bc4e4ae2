// The home of hwloc.
#include "topology_hwloc.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <hwloc.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

struct destroy_topology {
  void operator()(hwloc_topology_t machine) const { hwloc_topology_destroy(machine); }
};
using topology_handle = std::unique_ptr<hwloc_topology, destroy_topology>;

std::vector<int> members(hwloc_const_bitmap_t set) {
  std::vector<int> cpus;
  for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu)) cpus.push_back(cpu);
  return cpus;
}

template <class Visit>
void each_of(hwloc_topology_t machine, hwloc_obj_type_t type, const Visit& visit) {
  for (hwloc_obj_t at = nullptr; (at = hwloc_get_next_obj_by_type(machine, type, at)) != nullptr;) visit(at);
}

hwloc_obj_t nearest_numa_node(hwloc_topology_t machine, unsigned cpu) {
  hwloc_obj_t nearest = nullptr;
  each_of(machine, HWLOC_OBJ_NUMANODE, [&](hwloc_obj_t node) {
    if (hwloc_bitmap_isset(node->cpuset, cpu) == 0) return;
    if (nearest == nullptr || hwloc_bitmap_weight(node->cpuset) < hwloc_bitmap_weight(nearest->cpuset))
      nearest = node;
  });
  return nearest;
}

/// The largest cache above; the core where the machine tells of none.
hwloc_obj_t last_cache(hwloc_obj_t pu) {
  hwloc_obj_t last = nullptr;
  for (hwloc_obj_t at = pu; at != nullptr; at = at->parent)
    if (hwloc_obj_type_is_dcache(at->type) != 0) last = at;
  return last;
}

/// What hwloc tells of a kind of cores, the frequency left out: that is what it may reach at times, not what
/// it is.
struct core_kind {
  std::string type{};   ///< "IntelCore"; empty where it is not known
  double capacity = 0;  ///< of 1024, as Linux on Arm tells it; 0 where it is not known
};

core_kind core_kind_of(hwloc_topology_t machine, unsigned index) {
  core_kind kind;
  unsigned count = 0;
  hwloc_info_s* infos = nullptr;
  hwloc_cpukinds_get_info(machine, index, nullptr, nullptr, &count, &infos, 0);
  for (unsigned i = 0; i < count; ++i) {
    const std::string_view name{infos[i].name}, value{infos[i].value};
    if (name == "CoreType") kind.type = value;
    if (name == "LinuxCapacity") std::from_chars(value.data(), value.data() + value.size(), kind.capacity);
  }
  return kind;
}

/// Cores of one type differ by a few percent, as binned: a team of them waits less than one of half the size.
bool are_alike(const core_kind& a, const core_kind& b) {
  constexpr double much = 0.9;
  const auto [less, more] = std::minmax(a.capacity, b.capacity);
  return a.type == b.type && less >= much * more;
}

/// Ours of each kind of hwloc's, which are in ascending order of speed where it knows that. All of ours are
/// like the first one of theirs, so that many small steps do not add up.
std::vector<int> core_kinds(hwloc_topology_t machine) {
  std::vector<int> ours;
  std::optional<core_kind> first;
  int number = 0;
  for (int index = 0; index < hwloc_cpukinds_get_nr(machine, 0); ++index) {
    const core_kind kind = core_kind_of(machine, static_cast<unsigned>(index));
    if (first && !are_alike(*first, kind)) ++number;
    if (ours.empty() || number != ours.back()) first = kind;
    ours.push_back(number);
  }
  return ours;
}

int kind_of(hwloc_topology_t machine, hwloc_obj_t pu, const std::vector<int>& kinds) {
  const int theirs = hwloc_cpukinds_get_by_cpuset(machine, pu->cpuset, 0);
  return theirs < 0 ? 0 : kinds[static_cast<std::size_t>(theirs)];
}

/// Levels that name a part by the first CPU below it, so that numbers are distinct in synthetic machines too.
int number_of(hwloc_obj_t part) { return part == nullptr ? 0 : static_cast<int>(part->logical_index); }

std::vector<cpu_info> list_cpus(hwloc_topology_t machine) {
  std::vector<cpu_info> cpus;
  const std::vector<int> kinds = core_kinds(machine);
  std::map<int, int> threads_of_core;
  each_of(machine, HWLOC_OBJ_PU, [&](hwloc_obj_t pu) {
    const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(machine, HWLOC_OBJ_CORE, pu);
    const hwloc_obj_t cache = last_cache(pu);
    const hwloc_obj_t node = nearest_numa_node(machine, pu->os_index);
    cpu_info info{.cpu = static_cast<int>(pu->os_index), .core = number_of(core != nullptr ? core : pu)};
    info.numa_node = node == nullptr ? 0 : static_cast<int>(node->os_index);
    info.smt_rank = threads_of_core[info.core]++;
    info.socket = number_of(hwloc_get_ancestor_obj_by_type(machine, HWLOC_OBJ_PACKAGE, pu));
    info.cache = cache != nullptr ? hwloc_bitmap_first(cache->cpuset)
                                  : hwloc_bitmap_first((core != nullptr ? core : pu)->cpuset);
    info.kind = kind_of(machine, pu, kinds);
    cpus.push_back(info);
  });
  return cpus;
}

std::vector<numa_node_info> list_numa_nodes(hwloc_topology_t machine) {
  std::vector<numa_node_info> nodes;
  each_of(machine, HWLOC_OBJ_NUMANODE, [&](hwloc_obj_t node) {
    nodes.push_back({.node = static_cast<int>(node->os_index),
                     .memory = node->attr->numanode.local_memory,
                     .cpus = members(node->cpuset)});
  });
  return nodes;
}

std::vector<cache_info> list_caches(hwloc_topology_t machine) {
  std::vector<cache_info> caches;
  for (const hwloc_obj_type_t type :
       {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE}) {
    each_of(machine, type, [&](hwloc_obj_t cache) {
      caches.push_back({.level = static_cast<int>(cache->attr->cache.depth),
                        .bytes = cache->attr->cache.size,
                        .cpus = members(cache->cpuset)});
    });
  }
  return caches;
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

std::vector<pci_device> list_bus(hwloc_topology_t machine) {
  std::vector<pci_device> all;
  for (hwloc_obj_t each = nullptr; (each = hwloc_get_next_pcidev(machine, each)) != nullptr;) {
    const auto& at = each->attr->pcidev;
    const char* const name = hwloc_obj_get_info_by_name(each, "PCIDevice");
    all.push_back({.vendor = at.vendor_id,
                   .device = at.device_id,
                   .bus_class = at.class_id,
                   .address = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", at.domain, at.bus, at.dev, at.func),
                   .name = name == nullptr ? "" : name,
                   .memory = memory_of(each),
                   .link = at.linkspeed,
                   .beside = members(hwloc_get_non_io_ancestor_obj(machine, each)->cpuset)});
  }
  return all;
}

/// Not loaded yet; without I/O devices.
topology_handle new_topology() {
  hwloc_topology_t machine = nullptr;
  if (hwloc_topology_init(&machine) != 0) throw error{"hwloc_topology_init failed: no memory"};
  topology_handle handle{machine};
  hwloc_topology_set_io_types_filter(machine, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(machine, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
  return handle;
}

/// From what the kernel lists: hwloc's back ends of vendors would start their drivers, and that of
/// libpciaccess ("pci") reads the names of all devices of the world, which it never frees.
void ask_for_bus(hwloc_topology_t machine) {
  hwloc_topology_set_io_types_filter(machine, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  for (const char* component : {"pci", "cuda", "nvml", "rsmi", "opencl", "gl", "levelzero"})
    hwloc_topology_set_components(machine, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, component);
}

std::optional<machine_read> read(hwloc_topology_t machine) {
  if (hwloc_topology_load(machine) != 0) return std::nullopt;
  return machine_read{.cpus = list_cpus(machine),
                      .numa_nodes = list_numa_nodes(machine),
                      .caches = list_caches(machine),
                      .bus = list_bus(machine)};
}

}  // namespace

std::optional<machine_read> read_this_machine(bool bus) {
  const topology_handle machine = new_topology();
  if (bus) ask_for_bus(machine.get());
  hwloc_topology_set_flags(machine.get(), HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
  return read(machine.get());
}

std::optional<machine_read> read_synthetic(const std::string& description) {
  const topology_handle machine = new_topology();
  if (hwloc_topology_set_synthetic(machine.get(), description.c_str()) != 0) return std::nullopt;
  return read(machine.get());
}

std::optional<machine_read> read_xml(const std::string& file) {
  const topology_handle machine = new_topology();
  ask_for_bus(machine.get());
  if (hwloc_topology_set_xml(machine.get(), file.c_str()) != 0) return std::nullopt;
  return read(machine.get());
}

std::optional<machine_read> read_xml_text(const std::string& text) {
  const topology_handle machine = new_topology();
  ask_for_bus(machine.get());
  const int size = static_cast<int>(std::min<std::size_t>(text.size() + 1, std::numeric_limits<int>::max()));
  if (hwloc_topology_set_xmlbuffer(machine.get(), text.c_str(), size) != 0) return std::nullopt;
  return read(machine.get());
}

}  // namespace yoke::detail
