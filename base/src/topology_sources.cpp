// Where machines come from: this one, a description, a file.
#include "topology_hwloc.hpp"

#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include <yoke/affinity.hpp>
#include <yoke/error.hpp>

namespace yoke {

namespace {

using detail::topology_handle;

/// From what the kernel lists: hwloc's back ends of vendors would start their drivers, and that of
/// libpciaccess ("pci") reads the names of all devices of the world, which it never frees.
void ask_for_accelerators(hwloc_topology_t machine) {
  hwloc_topology_set_io_types_filter(machine, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  for (const char* component : {"pci", "cuda", "nvml", "rsmi", "opencl", "gl", "levelzero"})
    hwloc_topology_set_components(machine, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, component);
}

/// A container may see the whole bus and yet have some GPUs only: the driver then lists just these.
void drop_hidden(std::vector<accelerator_info>& all) {
  const std::filesystem::path driver{"/proc/driver/nvidia/gpus"};
  std::error_code ignored;
  if (!std::filesystem::is_directory(driver, ignored)) return;
  std::erase_if(all, [&](const accelerator_info& each) {
    return each.kind == accelerator_kind::cuda && !std::filesystem::exists(driver / each.pci, ignored);
  });
}

/// NVIDIA's driver: "Model: <tabs> NVIDIA H200"; AMD's: the name alone. Empty where no driver tells.
std::string model_told_by_driver(const std::string& pci) {
  std::string line;
  std::ifstream nvidia{"/proc/driver/nvidia/gpus/" + pci + "/information"};
  while (std::getline(nvidia, line)) {
    const std::size_t start = line.find_first_not_of(" \t", std::string_view{"Model:"}.size());
    if (line.starts_with("Model:") && start != std::string::npos) return line.substr(start);
  }
  std::ifstream amd{"/sys/bus/pci/devices/" + pci + "/product_name"};
  return std::getline(amd, line) ? line : std::string{};
}

topology load_this_machine(bool accelerators) {
  const std::vector<int> allowed = allowed_cpus_at_start();
  const topology_handle machine = detail::new_topology();
  if (accelerators) ask_for_accelerators(machine.get());
  hwloc_topology_set_flags(machine.get(), HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
  machine_parts parts;
  if (hwloc_topology_load(machine.get()) == 0) parts = detail::list_parts(machine.get());
  drop_hidden(parts.accelerators);
  for (accelerator_info& each : parts.accelerators) {
    if (std::string told = model_told_by_driver(each.pci); !told.empty()) each.model = std::move(told);
  }
  topology confined = topology{parts}.confined_to(allowed);
  if (!confined.cpus().empty()) return confined;
  // hwloc knows nothing of these CPUs (no /sys, or HWLOC_ variables describe another machine).
  std::vector<cpu_info> cpus;
  for (const int cpu : allowed) cpus.push_back({.cpu = cpu, .core = cpu, .cache = cpu});
  return topology{std::move(cpus)};
}

/// What is known already need not be read again.
constinit std::atomic<bool> has_read_bus{false};

topology without_accelerators(const topology& machine) {
  return topology{{.cpus = machine.cpus(), .numa_nodes = machine.numa_nodes(), .caches = machine.caches()}};
}

}  // namespace

topology topology::of_this_machine() {
  static const topology machine =
      has_read_bus ? without_accelerators(with_accelerators()) : load_this_machine(false);
  return machine;
}

topology topology::with_accelerators() {
  static const topology machine = [] {
    topology loaded = load_this_machine(true);
    has_read_bus = true;
    return loaded;
  }();
  return machine;
}

topology topology::synthetic(const std::string& description) {
  const topology_handle machine = detail::new_topology();
  if (hwloc_topology_set_synthetic(machine.get(), description.c_str()) != 0 ||
      hwloc_topology_load(machine.get()) != 0) {
    throw config_error{
        fmt::format("\"{}\" is no hwloc synthetic description; one is \"numa:2 core:4 pu:2\"", description)};
  }
  return topology{detail::list_parts(machine.get())};
}

topology topology::from_xml(const std::string& file) {
  const topology_handle machine = detail::new_topology();
  ask_for_accelerators(machine.get());
  if (hwloc_topology_set_xml(machine.get(), file.c_str()) != 0 || hwloc_topology_load(machine.get()) != 0)
    throw config_error{
        fmt::format("{}: no machine as hwloc writes it; one is made by: lstopo machine.xml", file)};
  return topology{detail::list_parts(machine.get())};
}

}  // namespace yoke
