#include "shared_cpus.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace yoke::detail {

namespace {

constexpr const char* better = "mpirun --map-by slot:PE=<CPUs of a rank> --bind-to core";

/// Ranks of the node of `rank`, in order.
std::vector<std::size_t> ranks_beside(std::span<const rank_cpus> ranks, std::size_t rank) {
  std::vector<std::size_t> all;
  for (std::size_t other = 0; other < ranks.size(); ++other)
    if (ranks[other].node.number == ranks[rank].node.number) all.push_back(other);
  return all;
}

bool is_split(std::span<const rank_cpus> ranks, std::span<const std::size_t> beside) {
  const std::vector<int>& cpus = ranks[beside.front()].cpus;
  return beside.size() > 1 && cpus.size() >= beside.size() &&
         std::ranges::all_of(beside, [&](std::size_t each) { return ranks[each].cpus == cpus; });
}

}  // namespace

std::vector<node_of_rank> nodes_of(std::span<const std::string> names, std::span<const rank_place> places) {
  std::vector<node_of_rank> all;
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    std::size_t lowest = static_cast<std::size_t>(places[rank].first_beside);
    if (places[rank].n_beside < 2) {
      lowest = 0;
      while (places[lowest].n_beside > 1 || names[lowest] != names[rank]) ++lowest;
    }
    all.push_back({static_cast<int>(lowest), names[rank]});
  }
  return all;
}

std::vector<cpu_share> shares_of_cpus(std::span<const rank_cpus> ranks) {
  std::vector<cpu_share> all;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::vector<std::size_t> beside = ranks_beside(ranks, rank);
    const auto n = static_cast<int>(ranks[rank].cpus.size());
    if (!is_split(ranks, beside)) {
      all.push_back({0, n});
      continue;
    }
    const auto many = static_cast<int>(beside.size());
    const auto me = static_cast<int>(std::ranges::find(beside, rank) - beside.begin());
    all.push_back({me * n / many, (me + 1) * n / many});
  }
  return all;
}

std::string note_of_shared_cpus(std::span<const rank_cpus> ranks) {
  for (std::size_t a = 0; a < ranks.size(); ++a)
    for (std::size_t b = a + 1; b < ranks.size(); ++b) {
      if (ranks[a].node.number != ranks[b].node.number) continue;
      std::vector<int> both;
      std::ranges::set_intersection(ranks[a].cpus, ranks[b].cpus, std::back_inserter(both));
      if (both.empty()) continue;
      const std::vector<std::size_t> beside = ranks_beside(ranks, a);
      if (is_split(ranks, beside))
        return fmt::format(
            "the launcher has left ranks {} to {} on {} the same {} CPUs, and they take equal shares of "
            "these; "
            "let it bind each to its own: {}",
            beside.front(), beside.back(), ranks[a].node.name, ranks[a].cpus.size(), better);
      return fmt::format(
          "ranks {} and {} on {} may both use CPU {}, and slow each other down; let the launcher bind each "
          "to its own: {}",
          a, b, ranks[a].node.name, both.front(), better);
    }
  return "";
}

}  // namespace yoke::detail
