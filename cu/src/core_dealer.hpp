#pragma once
/// Hands out whole cores to compute units.

#include <optional>
#include <vector>

#include <yoke/places.hpp>

namespace yoke::detail {

/// The usable CPUs of a core, and where it is.
struct usable_core {
  std::vector<int> cpus{};
  cpu_info at{};
};

std::vector<usable_core> usable_cores(const topology& machine, bool smt);

class core_dealer {
 public:
  explicit core_dealer(std::vector<usable_core> cores);

  /// Keeps the core of this CPU from being dealt.
  void reserve(int cpu);
  void reserve_all(const place& cpus) {
    for (const int cpu : cpus) reserve(cpu);
  }
  /// `cpus` CPUs of whole cores of one kind, the fastest kind first: within one last cache where one has so
  /// many left, else within one NUMA node, else anywhere. Nothing when they run out.
  std::optional<place> take(int cpus);
  /// Of each core that is left its first CPU.
  std::vector<int> free_hosts() const;

 private:
  using group_of = int (*)(const cpu_info&);
  std::optional<place> take_within(group_of group, int cpus);
  place take_from(const std::vector<std::size_t>& cores, int cpus);

  std::vector<usable_core> cores_;  ///< fastest kind first, else in the machine's order
  std::vector<bool> is_taken_;
};

}  // namespace yoke::detail
