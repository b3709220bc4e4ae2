#pragma once
/// What a program would meet if it were started now: variables, CPUs, limits, other processes. Read once, so
/// that the rules of the audit are tested on made-up ones.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <yoke/topology.hpp>

namespace tools {

/// Another process of Yoke's on this node.
struct neighbour {
  int pid = 0;
  std::string name{};
  std::vector<int> cpus{};
};

/// A rank of the launcher that has started this process, on this node.
struct rank_mate {
  int rank = 0;
  std::vector<int> cpus{};          ///< that it may use
  std::vector<int> cores{};         ///< of these, each once
  std::vector<std::string> gpus{};  ///< as their driver calls them, "cuda:0"
};

struct surroundings {
  std::map<std::string, std::string> variables{};  ///< without those that Yoke itself has set
  yoke::topology machine{std::vector<yoke::cpu_info>{}};
  int cpus_online = 0;                            ///< of the whole node
  std::optional<double> cpus_by_quota{};          ///< CPU time a second that the cgroup gives
  std::string huge_pages{};                       ///< "always", "madvise", "never"; empty: not told
  bool can_trace = true;                          ///< whether a file may be where YOKE_TRACE says
  std::optional<std::uint64_t> most_processes{};  ///< nothing: no limit
  std::optional<std::uint64_t> most_locked{};     ///< bytes
  std::set<std::string> running{};                ///< names of the processes of this node
  std::vector<neighbour> neighbours{};
  std::vector<rank_mate> mates{};  ///< all of this node that have met, by place; the first speaks for them
  int place = 0;                   ///< of this process among them

  /// nullptr where it is not set.
  const std::string* find(const std::string& variable) const {
    const auto found = variables.find(variable);
    return found == variables.end() ? nullptr : &found->second;
  }
};

surroundings surroundings_of_this_process();

}  // namespace tools
