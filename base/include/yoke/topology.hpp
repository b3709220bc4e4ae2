#pragma once
/// The CPUs that this process may use. hwloc is asked here and nowhere else.

#include <string>
#include <vector>

namespace yoke {

/// One hardware thread. `cpu` is the operating system's number, as in OMP_PLACES.
struct cpu_info {
  int cpu = 0;
  int core = 0;       ///< core number, distinct over the machine
  int numa_node = 0;  ///< OS index of the nearest NUMA node
  int smt_rank = 0;   ///< 0 for the first allowed hardware thread of its core
};

/// CPUs core by core, in hwloc's order: neighbours share caches and NUMA nodes whatever their OS numbers.
/// Only those in the allowed mask (cgroup, taskset) are listed.
class topology {
 public:
  /// The machine this process runs on, restricted to the allowed mask; loads hwloc without I/O devices,
  /// once. Thread-safe.
  static topology of_this_machine();
  /// An hwloc synthetic description, as "numa:2 core:4 pu:2", for tests.
  static topology synthetic(const std::string& description);
  explicit topology(std::vector<cpu_info> cpus) : cpus_{std::move(cpus)} {}

  const std::vector<cpu_info>& cpus() const { return cpus_; }
  bool allows(int cpu) const;
  /// The CPUs a configuration may hand out: the first hardware thread of each core, or with `smt` all of
  /// them, core by core.
  std::vector<int> usable_cpus(bool smt) const;

 private:
  std::vector<cpu_info> cpus_;
};

}  // namespace yoke
