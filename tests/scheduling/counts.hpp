#pragma once
/// How many tasks of a map are with each kind of units.

#include "driver.hpp"

#include <ostream>
#include <vector>

namespace driver {

struct counts {
  int cpu = 0;
  int gpu = 0;
  friend bool operator==(counts, counts) = default;
};
inline std::ostream& operator<<(std::ostream& out, counts c) {
  return out << c.cpu << " on CPUs, " << c.gpu << " on GPUs";
}

inline counts count(const std::vector<unit_id>& map, const std::vector<unit>& units) {
  counts result;
  for (const unit_id u : map)
    ++(units[static_cast<std::size_t>(int{u})].kind == unit_kind::cpu ? result.cpu : result.gpu);
  return result;
}

}  // namespace driver
