#pragma once
/// Ranks that have been left the same CPUs. Pure.

#include <span>
#include <string>
#include <vector>

namespace yoke::detail {

struct rank_cpus {
  std::string node;
  std::vector<int> cpus;  ///< ascending
};

/// Of a rank whose CPUs are those of others of its node.
struct cpu_share {
  int first = 0,
      last = 0;  ///< places in the order of the machine; as many as there are where nothing is shared
};
/// What each rank takes of its CPUs: where all ranks of a node have the same ones, and as many as they are,
/// equal shares, side by side; else all of them.
std::vector<cpu_share> shares_of_cpus(std::span<const rank_cpus> ranks);

/// What to say of them, by rank, with those shares; empty where no two ranks have a CPU in common.
std::string note_of_shared_cpus(std::span<const rank_cpus> ranks);

}  // namespace yoke::detail
