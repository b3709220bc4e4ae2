#pragma once
/// Ranks that have been left the same CPUs. Pure.

#include <string>
#include <vector>

namespace yoke::detail {

struct rank_cpus {
  std::string node;
  std::vector<int> cpus;  ///< ascending
};
/// What to say of them, by rank; empty where no two ranks have a CPU in common.
std::string note_of_shared_cpus(const std::vector<rank_cpus>& ranks);

}  // namespace yoke::detail
