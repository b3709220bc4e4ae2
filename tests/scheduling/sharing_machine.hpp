#pragma once
/// Units that share a loop, in virtual time.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <yoke/balancer.hpp>

namespace sharing {

using namespace yoke::scheduling;
using yoke::seconds;
using yoke::space_id;
using shares_of = std::vector<std::int64_t>;

/// A unit needs `launch` and `of_index` for each index; units in several memories need `apart` besides, and
/// what moves before a loop because the host takes part, or several devices do.
struct machine {
  struct unit {
    int memory = 0;
    double weight = 1;
    seconds of_index = 1e-6;
    seconds launch = 0;
    std::int64_t wave = 1;  ///< indices that take as long as one of them
    std::int64_t tile = 1;  ///< the same, and it tells that
    double unsteady = 1;    ///< how much of the machine's noise it has
  };
  std::vector<unit> units;
  seconds apart = 0, with_host = 0, between_devices = 0;
  double noise = 0;
  std::mt19937 random{7};

  std::vector<sharing_unit> sharing() const {
    std::vector<sharing_unit> all;
    for (const unit& each : units) all.push_back({space_id{each.memory}, each.weight});
    return all;
  }
  bool is_apart(std::span<const std::int64_t> shares) const {
    int first = -1;
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (shares[u] == 0) continue;
      if (first >= 0 && units[u].memory != first) return true;
      first = units[u].memory;
    }
    return false;
  }
  timed_loop run(std::span<const std::int64_t> shares, double times = 1) {
    timed_loop loop;
    for (std::size_t u = 0; u < units.size(); ++u) {
      const double disturbed =
          1 + noise * units[u].unsteady * std::uniform_real_distribution{-1.0, 1.0}(random);
      const std::int64_t at_once = next_multiple(shares[u], std::max(units[u].wave, units[u].tile));
      const double alone = units[u].launch + units[u].of_index * static_cast<double>(at_once);
      loop.units.push_back(shares[u] > 0 ? alone * times * disturbed : 0);
      loop.all = std::max(loop.all, loop.units.back());
      loop.steps.push_back(units[u].tile);
    }
    if (!is_apart(shares)) return loop;
    std::set<int> memories;
    for (std::size_t u = 0; u < units.size(); ++u)
      if (shares[u] > 0) memories.insert(units[u].memory);
    if (memories.contains(0)) loop.with_host = with_host;
    loop.all += apart + loop.with_host + (memories.size() > memories.count(0) + 1 ? between_devices : 0);
    return loop;
  }
};

/// Runs loops; how long they took in all.
inline seconds run(balancer& of, machine& on, int loops, double bytes = 0, const char* kind = "loop",
                   double times = 1) {
  seconds all = 0;
  for (int n = 0; n < loops; ++n) {
    if (of.is_time_to_look())
      if (auto to = of.look(bytes)) of.move_to(std::move(*to));
    const timed_loop loop = on.run(of.shares(), times);
    if (of.count(kind)) of.add(kind, loop);
    all += loop.all;
  }
  return all;
}

inline std::int64_t sum(std::span<const std::int64_t> shares) {
  return std::accumulate(shares.begin(), shares.end(), std::int64_t{0});
}

}  // namespace sharing
