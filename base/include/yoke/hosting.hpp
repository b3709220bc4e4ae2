// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// CPUs for threads that OpenMP does not own: one that leads a program, one for each accelerator, one for
/// each component on CPUs. Assigned by one thread, then each thread binds itself; threads that a bound thread
/// starts stay on its CPUs, but for the team that libomp gives it: see bind_team. Source: OpenH (Farrelly,
/// Reddy Manumachu, Lastovetsky), section IV-B3.

#include <map>
#include <string>
#include <vector>

#include <yoke/topology.hpp>

namespace yoke {

/// For whom CPUs are assigned.
struct hosted {
  enum class role { main, accelerator, component } what = role::main;
  int number = 0;  ///< of the accelerator or the component; 0 for main

  static hosted main() { return {}; }
  static hosted accelerator(int number) { return {role::accelerator, number}; }
  static hosted component(int number) { return {role::component, number}; }
  std::string text() const;  ///< "accelerator 1"
  friend auto operator<=>(const hosted&, const hosted&) = default;
};

/// Not thread-safe but for bind_self, which threads may call at once when all is assigned.
class hosting {
 public:
  explicit hosting(topology machine = topology::with_accelerators()) : machine_{std::move(machine)} {}

  const topology& machine() const { return machine_; }
  /// Logical cores, replacing what `who` had. Errors: usage_error for none, for a CPU that is not of the
  /// machine, or an accelerator that is not.
  void assign_cpus(hosted who, std::vector<int> cpus);
  /// Physical cores with all their allowed threads. Errors: as assign_cpus.
  void assign_cores(hosted who, const std::vector<int>& cores);
  /// A core of its own for each accelerator, near it as far as that can be had for all (unique_hosts), with
  /// its first thread alone. Errors: usage_error where there are fewer cores.
  void assign_accelerators();
  /// Hardware threads that nobody has; cores of which nobody has a thread. Errors: usage_error where none is
  /// left.
  void assign_free_cpus(hosted who) { assign_cpus(who, free_cpus()); }
  void assign_free_cores(hosted who) { assign_cores(who, free_cores()); }

  std::vector<int> free_cpus() const;
  std::vector<int> free_cores() const;
  /// Errors: usage_error where nothing was assigned.
  const std::vector<int>& cpus_of(hosted who) const;
  /// Binds the calling thread. Errors: usage_error where nothing was assigned; config_error where the system
  /// refuses, as the CPUs were taken from the process since.
  void bind_self(hosted who) const;

 private:
  topology machine_;
  std::map<hosted, std::vector<int>> assigned_;
};

}  // namespace yoke
