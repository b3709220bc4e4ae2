#pragma once
/// The distributions that the conformance suite runs against; a new one gets a line.

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <yoke/arrays.hpp>

namespace conformance {

struct distribution_kind {
  std::string name;
  yoke::distribution (*of)(yoke::runtime& rt, std::int64_t n);  ///< for n elements on all units
};

/// 0, 1, 2, … or the same from the back; 1 for a unit that is alone.
inline std::vector<double> slope(const yoke::runtime& rt, bool is_rising) {
  std::vector<double> weights(static_cast<std::size_t>(rt.units().size()));
  if (is_rising)
    std::iota(weights.begin(), weights.end(), 0.0);
  else
    std::iota(weights.rbegin(), weights.rend(), 0.0);
  if (weights.size() == 1) weights = {1};
  return weights;
}

inline std::vector<distribution_kind> distributions() {
  namespace dist = yoke::dist;
  using std::int64_t;
  using yoke::array;
  using yoke::runtime;
  return {
      {"block", [](runtime&, int64_t) { return dist::block; }},
      {"block(k), the last one shorter",
       [](runtime& rt, int64_t n) { return dist::block(n / rt.units().size() + 1); }},
      {"block(k), all on the first unit", [](runtime&, int64_t n) { return dist::block(n + 1); }},
      {"weighted, more to the last", [](runtime& rt, int64_t) { return dist::weighted(slope(rt, true)); }},
      {"weighted, more to the first", [](runtime& rt, int64_t) { return dist::weighted(slope(rt, false)); }},
      {"balanced", [](runtime&, int64_t) { return dist::balanced; }},
      {"cyclic", [](runtime&, int64_t) { return dist::cyclic; }},
      {"cyclic(k)", [](runtime&, int64_t) { return dist::cyclic(3); }},
      {"along a weighted one",
       [](runtime& rt, int64_t n) {
         return dist::along(array<char, 1>{rt, {n}, {dist::weighted(slope(rt, true))}}, 0);
       }},
      {"along a cyclic one",
       [](runtime& rt, int64_t n) { return dist::along(array<char, 1>{rt, {n}, {dist::cyclic}}, 0); }},
      {"duplicate", [](runtime&, int64_t) { return dist::duplicate; }},
  };
}

}  // namespace conformance
