#pragma once
/// Ranks of one node, and those that have been left the same CPUs. Pure.

#include <span>
#include <string>
#include <vector>

namespace yoke::detail {

/// Among the ranks that share memory with a rank.
struct rank_place {
  int n_beside = 1;      ///< it is one of them
  int first_beside = 0;  ///< the lowest one
};
struct node_of_rank {
  int number = 0;  ///< equal for ranks of a node
  std::string name;
};
/// By rank. Ranks that share memory with others are on a node with these; the others, on one with those of
/// them that have the same name.
std::vector<node_of_rank> nodes_of(std::span<const std::string> names, std::span<const rank_place> places);

struct rank_cpus {
  node_of_rank node;
  std::vector<int> cpus{};  ///< ascending
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
