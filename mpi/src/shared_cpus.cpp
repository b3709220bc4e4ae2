#include "shared_cpus.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace yoke::detail {

std::string note_of_shared_cpus(const std::vector<rank_cpus>& ranks) {
  for (std::size_t a = 0; a < ranks.size(); ++a)
    for (std::size_t b = a + 1; b < ranks.size(); ++b) {
      if (ranks[a].node != ranks[b].node) continue;
      std::vector<int> both;
      std::ranges::set_intersection(ranks[a].cpus, ranks[b].cpus, std::back_inserter(both));
      if (both.empty()) continue;
      return fmt::format(
          "ranks {} and {} on {} may both use CPU {}, and slow each other down; let the launcher bind each "
          "to its own: "
          "mpirun --map-by slot:PE=<CPUs of a rank> --bind-to core",
          a, b, ranks[a].node, both.front());
    }
  return "";
}

}  // namespace yoke::detail
