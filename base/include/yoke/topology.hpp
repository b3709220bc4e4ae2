// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The CPUs that this process may use, and what is near them. hwloc is asked here and nowhere else.

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <yoke/cpp20.hpp>

namespace yoke {

/// One hardware thread, a logical core. `cpu` is the operating system's number, as in OMP_PLACES.
struct cpu_info {
  int cpu = 0;
  int core = 0;       ///< physical core, distinct over the machine
  int numa_node = 0;  ///< OS index of the nearest NUMA node
  int smt_rank = 0;   ///< 0 for the first allowed hardware thread of its core
  int socket = 0;     ///< distinct over the machine
  int cache = 0;      ///< number of its last cache, distinct over the machine
  /// 0 where all cores are alike; else more for faster ones, as the P cores beside E cores.
  int kind = 0;
};

/// Memory that some CPUs are nearest to.
struct numa_node_info {
  int node = 0;
  std::size_t memory = 0;  ///< bytes; 0 where it is not known
  std::vector<int> cpus{};
};

/// One cache of some level; a machine has many of each.
struct cache_info {
  int level = 0;
  std::size_t bytes = 0;
  std::vector<int> cpus{};  ///< which share it
};

enum class accelerator_kind { cuda, hip, fpga, other };

/// A GPU or the like on the PCI bus.
struct accelerator_info {
  accelerator_kind kind = accelerator_kind::other;
  std::string pci{};        ///< "0000:4b:00.0"
  std::string model{};      ///< by its driver or hwloc's file: a name, or "10de:2235"
  std::size_t memory = 0;   ///< bytes; 0 where the system does not tell
  double link = 0;          ///< GB/s of its link; 0 where the system does not tell
  std::vector<int> near{};  ///< the allowed CPUs that are nearest to it; all, where none is nearer
};

/// How the system numbers hardware threads. Of machines with one socket the first two are alike: round_robin.
enum class numbering {
  round_robin,  ///< the first threads of all cores, then the second ones: 0..15, 0..15
  linear,       ///< so within each socket, and socket after socket: 0..7, 0..7, 8..15, 8..15
  other
};

/// What a machine has; all numbers of CPUs are the operating system's.
struct machine_parts {
  std::vector<cpu_info> cpus{};
  std::vector<numa_node_info> numa_nodes{};
  std::vector<cache_info> caches{};
  std::vector<accelerator_info> accelerators{};
  std::string told_by{};  ///< see topology::told_by
};

/// CPUs core by core, in hwloc's order: neighbours share caches and NUMA nodes whatever their OS numbers.
/// Only those in the allowed mask (cgroup, taskset) are listed.
class topology {
 public:
  /// The machine this process runs on, restricted to the allowed mask; loads hwloc without I/O devices,
  /// once. Thread-safe.
  static topology of_this_machine();
  /// The same with its accelerators: reads the PCI bus, once, and starts no driver. Thread-safe.
  static topology with_accelerators();
  /// An hwloc synthetic description, as "numa:2 core:4 pu:2".
  static topology synthetic(const std::string& description);
  /// Another machine, as `lstopo machine.xml` has written it. Errors: config_error naming the file.
  static topology from_xml(const std::string& file);

  explicit topology(std::vector<cpu_info> cpus) : parts_{.cpus = std::move(cpus)} {}
  explicit topology(machine_parts parts) : parts_{std::move(parts)} {}
  /// What is left of it for a process that may use these CPUs alone.
  topology confined_to(std::span<const int> allowed) const;

  const std::vector<cpu_info>& cpus() const { return parts_.cpus; }
  bool allows(int cpu) const;
  /// OS CPU numbers in hwloc's order. Without SMT the first hardware thread of each core only.
  std::vector<int> usable_cpus(bool smt) const;

  /// Physical cores of which a thread is allowed; allowed hardware threads.
  int n_cores() const;
  int n_cpus() const { return static_cast<int>(parts_.cpus.size()); }
  /// Whether a core has several allowed hardware threads.
  bool is_hyperthreaded() const { return n_cpus() > n_cores(); }
  numbering how_numbered() const;
  /// Errors: usage_error for a CPU or a core that is not listed.
  const cpu_info& info_of(int cpu) const;
  int core_of(int cpu) const { return info_of(cpu).core; }
  std::vector<int> cpus_of_core(int core) const;
  /// Each core once, in the order of `cpus`.
  std::vector<int> cores_of(std::span<const int> cpus) const;

  /// The variables by which the environment describes this machine to hwloc, instead of what it is:
  /// "HWLOC_SYNTHETIC=numa:2 pu:4"; empty where there are none.
  const std::string& told_by() const { return parts_.told_by; }
  /// Behind what an error says of the machine: "; hwloc describes the machine of …, not this one", or
  /// nothing.
  std::string remark() const;

  const std::vector<numa_node_info>& numa_nodes() const { return parts_.numa_nodes; }
  const std::vector<cache_info>& caches() const { return parts_.caches; }
  /// In the order of the bus; none from of_this_machine.
  const std::vector<accelerator_info>& accelerators() const { return parts_.accelerators; }

 private:
  machine_parts parts_;
};

/// One CPU for each of the lists `near`, no two on one core and each out of its own list as far as that can
/// be had for all; else any that is free, from the last on. -1 for those behind when cores run out. Lists are
/// gone through from the front, so that earlier CPUs are taken first.
std::vector<int> unique_hosts(const topology& machine, const std::vector<std::vector<int>>& near);

namespace detail {
/// Those that told_by knows, and those of them that are set, with their values.
inline constexpr const char* machine_variables[] = {"HWLOC_SYNTHETIC",         "HWLOC_XMLFILE",
                                                    "HWLOC_COMPONENTS",        "HWLOC_FSROOT",
                                                    "HWLOC_DUMPED_HWDATA_DIR", "HWLOC_CPUID_PATH"};
std::vector<std::pair<std::string, std::string>> variables_of_hwloc();
}  // namespace detail

/// "cuda", "hip", "fpga", "other".
const char* name_of(accelerator_kind kind);
const char* name_of(numbering how);

}  // namespace yoke
